// How many units were compared, in words. Pure.

import type { Schema } from "../api.ts";
import { formatNumber } from "../ui/number-text.ts";

type Units = Schema<"MonitoredUnits">;

/** A part of the sentence: words, or a number that is explained. */
export type UnitsPart = string | { of: keyof Units; text: string };

const unitsText = (units: number): string => `${formatNumber(units)} ${units === 1 ? "unit" : "units"}`;

export const unitsOfRule = (units: Units): UnitsPart[] => [
  { of: "pass", text: unitsText(units.pass) },
  " passed, and ",
  { of: "fail", text: formatNumber(units.fail) },
  " failed. ",
  ...crossedParts(units),
];

export const unitsOfHoldout = (units: Units): UnitsPart[] => [
  { of: "pass", text: unitsText(units.pass) },
  ` ${units.pass === 1 ? "is" : "are"} held out, and `,
  { of: "fail", text: formatNumber(units.fail) },
  ` ${units.fail === 1 ? "is" : "are"} not. `,
  ...crossedParts(units),
];

function crossedParts({ pass, fail, crossed }: Units): UnitsPart[] {
  if (crossed === 0) return ["No user saw both sides."];
  const share = formatNumber((100 * crossed) / (pass + fail + crossed), { maximumSignificantDigits: 2 });
  return [{ of: "crossed", text: unitsText(crossed) }, ` saw both sides and ${crossed === 1 ? "is" : "are"} left out: ${share}%.`];
}
