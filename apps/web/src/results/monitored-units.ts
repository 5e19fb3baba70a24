// How many units were compared, in words. Pure.
import type { Schema } from "../api.ts";

type Units = Schema<"MonitoredUnits">;

/** A part of the sentence: words, or a number that is explained. */
export type UnitsPart = string | { of: keyof Units; text: string };

const count = new Intl.NumberFormat("en-GB");
const percent = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 2 });

const unitsText = (units: number): string => `${count.format(units)} ${units === 1 ? "unit" : "units"}`;

export const unitsOfRule = (units: Units): UnitsPart[] => [
  { of: "pass", text: unitsText(units.pass) },
  " passed, and ",
  { of: "fail", text: count.format(units.fail) },
  " failed. ",
  ...crossedParts(units),
];

export const unitsOfHoldout = (units: Units): UnitsPart[] => [
  { of: "pass", text: unitsText(units.pass) },
  ` ${units.pass === 1 ? "is" : "are"} held out, and `,
  { of: "fail", text: count.format(units.fail) },
  ` ${units.fail === 1 ? "is" : "are"} not. `,
  ...crossedParts(units),
];

function crossedParts({ pass, fail, crossed }: Units): UnitsPart[] {
  if (crossed === 0) return ["No unit saw both sides."];
  const share = percent.format((100 * crossed) / (pass + fail + crossed));
  return [{ of: "crossed", text: unitsText(crossed) }, ` saw both sides and ${crossed === 1 ? "is" : "are"} left out: ${share} %.`];
}
