// The meanings of the numbers of the topline impact. Pure.
import type { Meaning } from "./meaning.ts";

const half = (of: string): Meaning => ({
  label: `Half width of the interval: ${of}`,
  text: "Half of the interval that decides the verdict, on the same scale.",
  formula: "half width of the difference × the same factors",
});

export const TOPLINE_MEANINGS = {
  absoluteToplineImpact: {
    label: "Topline impact per day",
    text: "The test group’s impact per day on the whole metric, at its current size.",
    formula: "(test mean − control mean) × test units ÷ days",
  },
  absoluteToplineImpactDelta: half("topline impact per day"),
  relativeToplineImpact: {
    label: "Topline impact in percent",
    text: "The same, in percent of the whole metric without the test group.",
    formula: "100 × impact ÷ (total − impact)",
  },
  relativeToplineImpactDelta: half("topline impact in percent"),
  projectedAbsoluteToplineImpact: {
    label: "Impact per day for everyone",
    text: "The impact per day if everyone were in the test group.",
    formula: "topline impact per day ÷ share of units that have the test group",
  },
  projectedAbsoluteToplineImpactDelta: half("impact per day for everyone"),
  projectedRelativeToplineImpact: {
    label: "Impact in percent for everyone",
    text: "The same, in percent of the whole metric without the test group.",
    formula: "topline impact in percent ÷ share of units that have the test group",
  },
  projectedRelativeToplineImpactDelta: half("impact in percent for everyone"),
  "topline.days": { label: "Days", text: "The time covered, in days of 24 hours, at least one." },
  "topline.total": {
    label: "Total of the metric",
    text: "The metric over these days, for all units with events, exposed or not.",
    formula: "sum over all events",
  },
  "topline.share": {
    label: "Share of the test group",
    text: "The planned share of the test group, from 0 to 1.",
    formula: "allocation × size of the group; for gates and holdouts, the share that passes or fails",
  },
} satisfies Record<string, Meaning>;
