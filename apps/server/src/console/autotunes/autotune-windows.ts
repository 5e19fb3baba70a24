import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";

type Autotune = Schema<"Autotune">;
type Windows = Pick<Autotune, "explorationWindow" | "attributionWindow" | "attributionWindowUnit">;
type Given = Pick<WritableSchema<"AutotunePatch">, keyof Windows>;

const MINUTE_MS = 60_000;
const UNIT_MS = { min: MINUTE_MS, hour: 60 * MINUTE_MS, day: 24 * 60 * MINUTE_MS };

/**
 * The windows as they are stored: hours as `24hr`, other units as a number. A text with hr is in hours, even if another unit is stored; a
 * number alone is in the given or stored unit.
 */
export function toWindows(given: Given, stored: Windows | undefined, violations: Violation[]): Windows {
  const window = given.attributionWindow ?? stored?.attributionWindow ?? "1";
  const saysHours = given.attributionWindow?.includes("hr") ?? false;
  const unit = given.attributionWindowUnit ?? (saysHours ? "hour" : (stored?.attributionWindowUnit ?? "hour"));
  if (saysHours && unit !== "hour") {
    violations.push({
      property: "attributionWindowUnit",
      errorMessage: `contradicts attributionWindow, which says hours. Give the number alone, ${numberIn(window)}, for another unit`,
    });
  }
  const number = numberIn(window);
  return {
    explorationWindow: `${numberIn(given.explorationWindow ?? stored?.explorationWindow ?? "24")}hr` as Windows["explorationWindow"],
    attributionWindow: (unit === "hour" ? `${number}hr` : number) as Windows["attributionWindow"],
    attributionWindowUnit: unit,
  };
}

/** The time during which outcomes count, after a unit first gets a variant, ms. */
export function attributionMs({ attributionWindow, attributionWindowUnit }: Windows): number {
  return Number(numberIn(attributionWindow)) * UNIT_MS[attributionWindowUnit];
}

/** The time from the start until a variant can win, ms. */
export function explorationMs({ explorationWindow }: Pick<Windows, "explorationWindow">): number {
  return Number(numberIn(explorationWindow)) * UNIT_MS.hour;
}

const numberIn = (window: string) => window.replace(/hrs?$/, "");
