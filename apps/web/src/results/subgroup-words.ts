// The results of all metrics by all dimensions, in words. Pure.
import type { Schema } from "../api.ts";
import type { Tone } from "../ui/badge.tsx";
import { valueName } from "./dimension-values.ts";
import { numberText, pText, signedText } from "./verdicts.ts";

export type SubgroupRow = Schema<"SubgroupRow">;
type Subgroup = SubgroupRow["subgroups"][number];
type Prominence = SubgroupRow["standsOut"];

export const PROMINENCE_NAMES: Readonly<Record<Prominence, string>> = {
  contradiction: "Contradicts all users",
  heterogeneity: "Effects differ",
  subgroup: "Single values differ",
  nothing: "Nothing stands out",
};

export const PROMINENCE_TONES: Readonly<Record<Prominence, Tone>> = {
  contradiction: "bad",
  heterogeneity: "warn",
  subgroup: "active",
  nothing: "off",
};

/** The reason why a row stands out. */
export function prominenceText({ standsOut, contradiction, subgroups }: SubgroupRow): string | undefined {
  if (standsOut === "contradiction" && contradiction)
    return `The change of all users is significant, but values with ${Math.round(100 * contradiction.unitShare)}% of the users changed the other way. Trust the values: the groups have different shares of them (Simpson’s paradox).`;
  if (standsOut === "heterogeneity") return "The change differs between values by more than chance explains.";
  const significant = subgroups.filter(({ metric }) => metric.isSignificant);
  if (standsOut === "subgroup") return `Significant after the correction: ${significant.map(valueName).join(", ")}.`;
  return undefined;
}

/** A value with its change and its corrected p-value. */
export function subgroupText(subgroup: Subgroup): string {
  const { metric, adjustedPValue } = subgroup;
  const change = metric.percentChange === undefined ? undefined : `${signedText(metric.percentChange)}%`;
  const p = adjustedPValue === undefined ? "not enough data" : `p ${adjustedPValue < 0.0001 ? "" : "= "}${pText(adjustedPValue)}`;
  return `${valueName(subgroup)}: ${change === undefined ? "" : `${change}, `}${p}`;
}

/** The test of different effects. */
export function heterogeneityText({ heterogeneity: { q, iSquared = 0, adjustedPValue = 1, values = 0, reason } }: SubgroupRow): string {
  if (q === undefined) return reason ?? "";
  const p = adjustedPValue < 0.0001 ? pText(adjustedPValue) : `= ${pText(adjustedPValue)}`;
  const numbers = `p ${p}, Q = ${numberText(q)} of ${values} values, I² = ${Math.round(100 * iSquared)}%`;
  return reason === undefined ? numbers : `${numbers}. ${reason}`;
}
