// What corrects for many comparisons, as one choice. Pure.
import type { Request, Schema } from "../api.ts";

export const CORRECTIONS = [
  "none",
  "bonferroni-groups",
  "bonferroni-metrics",
  "bonferroni-both",
  "benjamini-groups",
  "benjamini-metrics",
  "benjamini-both",
] as const;
export type Correction = (typeof CORRECTIONS)[number];

export const CORRECTION_NAMES: Readonly<Record<Correction, string>> = {
  none: "None",
  "bonferroni-groups": "Bonferroni, over groups",
  "bonferroni-metrics": "Bonferroni, over metrics",
  "bonferroni-both": "Bonferroni, over groups and metrics",
  "benjamini-groups": "Benjamini–Hochberg, over groups",
  "benjamini-metrics": "Benjamini–Hochberg, over metrics",
  "benjamini-both": "Benjamini–Hochberg, over groups and metrics",
};

type Settings = Pick<
  Schema<"Experiment">,
  "bonferroniCorrection" | "bonferroniCorrectionPerMetric" | "benjaminiHochbergPerVariant" | "benjaminiHochbergPerMetric"
>;

/** The corrections that an experiment asks for. With both forms, Bonferroni counts. */
export function correctionOf(settings: Settings): Correction {
  const of = (isOverGroups = false, isOverMetrics = false) =>
    isOverGroups && isOverMetrics ? "both" : isOverGroups ? "groups" : isOverMetrics ? "metrics" : undefined;
  const bonferroni = of(settings.bonferroniCorrection, settings.bonferroniCorrectionPerMetric);
  if (bonferroni !== undefined) return `bonferroni-${bonferroni}`;
  const benjamini = of(settings.benjaminiHochbergPerVariant, settings.benjaminiHochbergPerMetric);
  return benjamini === undefined ? "none" : `benjamini-${benjamini}`;
}

type Query = NonNullable<Request<"getExperimentPulseResults">["query"]>;

/** A chosen correction as what a request says. Without a choice the experiment decides. */
export function correctionQuery(correction: Correction | undefined): Partial<Query> {
  if (correction === undefined) return {};
  const [form, over = ""] = correction.split("-");
  const applies = (name: string, ...overs: string[]) => form === name && overs.includes(over);
  return {
    applyBonferroniPerVariant: applies("bonferroni", "groups", "both"),
    applyBonferroniPerMetric: applies("bonferroni", "metrics", "both"),
    applyBenjaminiHochbergPerVariant: applies("benjamini", "groups", "both"),
    applyBenjaminiHochbergPerMetric: applies("benjamini", "metrics", "both"),
  };
}
