// The meanings of the numbers of the topline impact. Pure.
import type { Meaning } from "./meaning.ts";

const half = (of: string): Meaning => ({
  label: `Half width of the interval: ${of}`,
  text: "Half of the interval that decides the verdict, scaled alike.",
  formula: "half width of the difference × the same factors",
});

export const TOPLINE_MEANINGS = {
  absoluteToplineImpact: {
    label: "Topline impact per day",
    text: "What the test group, as large as it is, changes of the whole metric on a day.",
    formula: "(test mean − control mean) × test units ÷ days",
  },
  absoluteToplineImpactDelta: half("topline impact per day"),
  relativeToplineImpact: {
    label: "Topline impact in percent",
    text: "The same in percent of what the whole metric would be without the test group.",
    formula: "100 × impact ÷ (total − impact)",
  },
  relativeToplineImpactDelta: half("topline impact in percent"),
  projectedAbsoluteToplineImpact: {
    label: "Impact per day for everybody",
    text: "What would change on a day if all units had the test group.",
    formula: "topline impact per day ÷ share of units that have the test group",
  },
  projectedAbsoluteToplineImpactDelta: half("impact per day for everybody"),
  projectedRelativeToplineImpact: {
    label: "Impact in percent for everybody",
    text: "The same in percent of what the whole metric would be without the test group.",
    formula: "topline impact in percent ÷ share of units that have the test group",
  },
  projectedRelativeToplineImpactDelta: half("impact in percent for everybody"),
  "topline.days": { label: "Days", text: "How long units counted, in days of 24 hours; at least one." },
  "topline.total": {
    label: "Total of the metric",
    text: "The metric over these days of all that logged its events, exposed or not.",
    formula: "sum over all events",
  },
  "topline.share": {
    label: "Share of the test group",
    text: "The share of units that are to have the test group, from 0 to 1.",
    formula: "allocation × size of the group; for gates and holdouts, the share that passes or fails",
  },
} satisfies Record<string, Meaning>;
