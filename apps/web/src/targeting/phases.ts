// Phases of release pipelines, in words. Pure.
import type { Schema } from "@gatehouse/client";
import { durationInWords } from "../ui/time-text.ts";
import { type Part, text } from "./parts.ts";
import type { DraftRule } from "./rule-draft.ts";
import { ruleSentence } from "./sentences.ts";

export type Phase = Schema<"ReleasePhase">;
/** A rule of a phase, stored or a draft. */
type ReleaseRule = Omit<DraftRule, "passPercentage">;
type Timed = Pick<Phase, "name" | "timeIntervalMs" | "requiredReview">;

/** A rule of a phase as the editor of rules has it. It reaches all users that match. */
export const toRule = ({ environments = null, ...rule }: ReleaseRule): DraftRule => ({
  ...rule,
  environments: environments?.length === 0 ? null : environments,
  passPercentage: 100,
});

/** The users that a phase adds, a sentence for each rule. @param all the environments of the project */
export const audienceOf = ({ rules }: { readonly rules: readonly ReleaseRule[] }, all?: readonly string[]): Part[][] =>
  rules.length === 0
    ? [[text("This phase adds no users.")]]
    : rules.map((rule) => ruleSentence(toRule(rule), { outcome: "release", ...(all && { all }) }));

/** When each phase begins, and when everyone gets the change: “Staff” at once, then “New Zealand” after 1 day and approval, then everyone after 2 days. */
export function planText(phases: readonly Timed[]): string {
  const steps = phases.map((phase, index) => `“${phase.name}” ${startText(phase, phases[index - 1])}`);
  const last = phases.at(-1);
  return [...steps, ...(last === undefined ? [] : [`everyone ${delayText(last.timeIntervalMs)}`])].join(", then ");
}

/** When a phase begins, counted from the one before it. */
export function startText({ requiredReview }: Timed, before: Timed | undefined): string {
  if (before === undefined || before.timeIntervalMs === 0) return requiredReview ? "after approval" : "at once";
  return `${delayText(before.timeIntervalMs)}${requiredReview ? " and approval" : ""}`;
}

const delayText = (ms: number): string => (ms === 0 ? "at once" : `after ${durationInWords(ms)}`);
