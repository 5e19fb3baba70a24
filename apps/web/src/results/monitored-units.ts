// How many units were compared, in words. Pure.
import type { Schema } from "../api.ts";

type Units = Schema<"MonitoredUnits">;

const count = new Intl.NumberFormat("en-GB");
const percent = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 2 });

const unitsText = (units: number): string => `${count.format(units)} ${units === 1 ? "unit" : "units"}`;

export const unitsOfRule = ({ pass, fail, crossed }: Units): string =>
  `${unitsText(pass)} passed, and ${count.format(fail)} failed. ${crossedText({ pass, fail, crossed })}`;

export const unitsOfHoldout = ({ pass, fail, crossed }: Units): string =>
  `${unitsText(pass)} ${pass === 1 ? "is" : "are"} held out, and ${count.format(fail)} ${fail === 1 ? "is" : "are"} not. ${crossedText({ pass, fail, crossed })}`;

function crossedText({ pass, fail, crossed }: Units): string {
  if (crossed === 0) return "No unit saw both sides.";
  const share = percent.format((100 * crossed) / (pass + fail + crossed));
  return `${unitsText(crossed)} saw both sides and ${crossed === 1 ? "is" : "are"} left out: ${share} %.`;
}
