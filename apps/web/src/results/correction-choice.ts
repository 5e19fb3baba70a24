// A correction for many comparisons as one choice: from the settings of an experiment, and as query parameters. Pure.
import type { Request, Schema } from "../api.ts";
import type { Correction } from "./corrections.ts";

export const CORRECTION_NAMES: Readonly<Record<Correction, string>> = {
  none: "None",
  "bonferroni-groups": "Bonferroni, over groups",
  "bonferroni-metrics": "Bonferroni, over metrics",
  "bonferroni-both": "Bonferroni, over groups and metrics",
  "holm-groups": "Holm, over groups",
  "holm-metrics": "Holm, over metrics",
  "holm-both": "Holm, over groups and metrics",
  "benjamini-groups": "Benjamini–Hochberg, over groups",
  "benjamini-metrics": "Benjamini–Hochberg, over metrics",
  "benjamini-both": "Benjamini–Hochberg, over groups and metrics",
};

type Settings = Pick<
  Schema<"Experiment">,
  | "bonferroniCorrection"
  | "bonferroniCorrectionPerMetric"
  | "holmPerVariant"
  | "holmPerMetric"
  | "benjaminiHochbergPerVariant"
  | "benjaminiHochbergPerMetric"
>;

/** The corrections that an experiment asks for. Bonferroni comes before Holm, and Holm before Benjamini–Hochberg. */
export function toCorrection(settings: Settings): Correction {
  const of = (isOverGroups = false, isOverMetrics = false) =>
    isOverGroups && isOverMetrics ? "both" : isOverGroups ? "groups" : isOverMetrics ? "metrics" : undefined;
  const bonferroni = of(settings.bonferroniCorrection, settings.bonferroniCorrectionPerMetric);
  if (bonferroni !== undefined) return `bonferroni-${bonferroni}`;
  const holm = of(settings.holmPerVariant, settings.holmPerMetric);
  if (holm !== undefined) return `holm-${holm}`;
  const benjamini = of(settings.benjaminiHochbergPerVariant, settings.benjaminiHochbergPerMetric);
  return benjamini === undefined ? "none" : `benjamini-${benjamini}`;
}

type Query = NonNullable<Request<"getExperimentPulseResults">["query"]>;

/** The share of α that primary metrics get without a choice, in percent. */
export const USUAL_PRIMARY_SHARE = 50;

/** Whether α is divided into a part for primary metrics and one for the others. */
export const dividesAlpha = (correction: Correction): boolean => correction === "bonferroni-metrics" || correction === "bonferroni-both";

/** A chosen share of the primary metrics, in percent, as query parameters. */
export const primaryShareQuery = (share: number | undefined): Partial<Query> =>
  share === undefined ? {} : { bonferroniPrimaryMetricWeight: share / 100 };

/** A chosen correction as query parameters. Without a choice the experiment decides. */
export function correctionQuery(correction: Correction | undefined): Partial<Query> {
  if (correction === undefined) return {};
  const [form, over = ""] = correction.split("-");
  const applies = (name: string, ...overs: string[]) => form === name && overs.includes(over);
  return {
    applyBonferroniPerVariant: applies("bonferroni", "groups", "both"),
    applyBonferroniPerMetric: applies("bonferroni", "metrics", "both"),
    applyHolmPerVariant: applies("holm", "groups", "both"),
    applyHolmPerMetric: applies("holm", "metrics", "both"),
    applyBenjaminiHochbergPerVariant: applies("benjamini", "groups", "both"),
    applyBenjaminiHochbergPerMetric: applies("benjamini", "metrics", "both"),
  };
}
