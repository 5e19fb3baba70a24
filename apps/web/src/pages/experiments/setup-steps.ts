// The steps of an experiment's setup, and what will happen in words. Pure.

import type { CheckedStep } from "../../entity/checklist.tsx";
import { numberText } from "../../results/verdicts.ts";
import { parseObject } from "../../targeting/values.ts";
import { listed } from "../../ui/list-text.ts";
import type { Check } from "./checklist.ts";
import type { Fields } from "./experiment-draft.ts";

export const STEPS = {
  hypothesis: "Hypothesis",
  groups: "Groups",
  metrics: "Metrics",
  duration: "Duration",
  audience: "Audience and allocation",
} as const;

export type StepID = keyof typeof STEPS;
export type Step = CheckedStep<StepID>;

const LEVELS = ["missing", "risky", "done"] as const;

/** The steps with what each one lacks, or with what was decided once it lacks nothing. */
export function setupSteps(checks: readonly Check[]): Step[] {
  return (Object.keys(STEPS) as StepID[]).map((id) => {
    const own = checks.filter(({ step }) => step === id);
    const level = LEVELS.find((one) => own.some((check) => check.level === one)) ?? "done";
    const shown = level === "done" ? own : own.filter((check) => check.level !== "done");
    return { id, title: STEPS[id], level, texts: shown.map(({ text }) => text) };
  });
}

const MAX_VALUE_LENGTH = 40;

/** What will happen if the experiment starts as it is set up. @param layerID null outside a layer */
export function setupSummary(fields: Fields, layerID: string | null): string {
  const { allocation, groups, targetingGateID, duration, primaryMetrics, secondaryMetrics } = fields;
  const users = layerID === null ? "users" : `users in the layer ${layerID}`;
  const limits = targetingGateID === null || targetingGateID === "" ? "" : ` who pass the gate ${targetingGateID}`;
  const split = groups.map(({ name, size, values }) => `${numberText(size)}% get ${name}${valuesText(values)}`);
  const guardrails = [...primaryMetrics, ...secondaryMetrics].filter(({ guardrail }) => guardrail).map(({ name }) => name);
  return [
    `${numberText(allocation)}% of ${users}${limits} take part.`,
    split.length === 0 ? "" : `Of them, ${listed(split)}.`,
    `Planned for ${numberText(duration)} days.`,
    primaryMetrics.length === 0 ? "No primary metric yet." : `The decision is based on ${listed(primaryMetrics.map(({ name }) => name))}.`,
    guardrails.length === 0 ? "" : `You’ll get an alert if ${listed(guardrails, "or")} gets worse.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** The values of a group, if they are short: (color: blue). */
function valuesText(text: string): string {
  const values = Object.entries(parseObject(text) ?? {}).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const words = values.join(", ");
  return words === "" || words.length > MAX_VALUE_LENGTH ? "" : ` (${words})`;
}
