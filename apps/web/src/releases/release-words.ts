// Releases in words. Pure.

import type { Schema } from "../api.ts";
import type { Phase } from "../targeting/phases.ts";
import { listed } from "../ui/list-text.ts";
import { roughDuration } from "../ui/time-text.ts";
import { unapproved } from "./offers.ts";

type Release = Schema<"Release">;
type Action = Release["actions"][number];

export const STATUSES = {
  IN_PROGRESS: { name: "In progress", tone: "active" },
  PAUSED: { name: "Paused", tone: "warn" },
  WAITING_FOR_REVIEW: { name: "Waiting for approval", tone: "warn" },
  COMPLETED: { name: "Completed", tone: "good" },
  ABORTED: { name: "Aborted", tone: "off" },
} as const satisfies Record<Release["status"], object>;

export type Subject = { type: "gate" | "dynamic_config"; noun: "gate" | "dynamic config"; id: string };

/** The entity that a release changes. */
export const subjectOf = ({ gateID, dynamicConfigID }: Pick<Release, "gateID" | "dynamicConfigID">): Subject =>
  gateID === undefined
    ? { type: "dynamic_config", noun: "dynamic config", id: dynamicConfigID ?? "" }
    : { type: "gate", noun: "gate", id: gateID };

/** “Release of gate new_checkout”. */
export function releaseTitle(release: Pick<Release, "gateID" | "dynamicConfigID">): string {
  const { noun, id } = subjectOf(release);
  return `Release of ${noun} ${id}`;
}

/** The position of the current phase; -1 once the release has ended. */
export const currentIndex = ({ currentPhaseID }: Pick<Release, "currentPhaseID">, phases: readonly Pick<Phase, "id">[]): number =>
  phases.findIndex(({ id }) => id === currentPhaseID);

/** What happens next: words before and after a time, ms since the epoch, which some steps have. */
export type NextStep = { before: string; time?: number; after?: string };

/** The next step of a release in progress. Undefined once it has ended. @param now ms since the epoch */
export function nextStep(release: Release, phases: readonly Phase[], now: number): NextStep | undefined {
  const { status, currentPhase, currentPhaseEndTime, remainingMs } = release;
  const next = phases[currentIndex(release, phases) + 1];
  switch (status) {
    case "WAITING_FOR_REVIEW":
      return { before: `Waiting for approval of “${currentPhase}”.` };
    case "PAUSED":
      return { before: `Paused with ${roughDuration(remainingMs ?? 0)} left in “${currentPhase}”.` };
    case "IN_PROGRESS": {
      const words =
        next === undefined ? "Everyone gets the change" : next.requiredReview ? `“${next.name}” can be approved` : `“${next.name}” begins`;
      // A phase with guardrail metrics ends after their first check.
      if (currentPhaseEndTime === null || currentPhaseEndTime <= now) return { before: `${words} shortly.` };
      return { before: words, time: currentPhaseEndTime, after: "." };
    }
    default:
      return undefined;
  }
}

/** Done by a person, a key or the server: follows its name. @param nameOf the name of a phase */
export function actionText({ type, phaseID }: Pick<Action, "type" | "phaseID">, nameOf: (phaseID: string) => string): string {
  const phase = `“${nameOf(phaseID)}”`;
  switch (type) {
    case "STARTED":
      return "started the release";
    case "PAUSED":
      return `paused the release in ${phase}`;
    case "UNPAUSED":
      return `resumed the release in ${phase}`;
    case "APPROVED_FOR":
      return `approved ${phase}`;
    case "SKIPPED":
      return `skipped to ${phase}`;
    case "FULL_ROLL_OUT":
      return "completed the release, so everyone got the change";
    case "ABORTED":
      return "aborted the release, so everyone went back to what they had before";
  }
}

/** What a skip to a later phase means. */
export function skipConsequence(release: Release, phases: readonly Phase[], target: Phase): string {
  const [from, to] = [currentIndex(release, phases), phases.findIndex(({ id }) => id === target.id)];
  const begun = new Set(release.phases.map(({ phaseID }) => phaseID));
  const between = phases.slice(from, to).filter(({ id }) => !begun.has(id));
  const names = listed(between.map(({ name }) => `“${name}”`));
  const first = between.length === 0 ? "" : between.length === 1 ? `${names} begins now. ` : `${names} begin now. `;
  if (target.requiredReview) return `${first}The release then waits for approval of “${target.name}”.`;
  return `${first}The users of “${target.name}” get the change now.`;
}

/** What completing the release means. */
export function completeConsequence(release: Release, phases: readonly Phase[]): string {
  const skipped = unapproved(release, phases, null).map(({ name }) => `“${name}”`);
  const approved = skipped.length === 0 ? "" : ` This also approves ${listed(skipped)}.`;
  return `Everyone gets the change now.${approved}`;
}
