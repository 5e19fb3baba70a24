// The states of an autotune. Pure.
import type { Schema } from "../../api.ts";
import { unitNoun } from "../../targeting/sentences.ts";

export type Autotune = Schema<"Autotune">;
export type State = "waiting" | "running" | "decided";

type Run = Pick<Autotune, "isStarted" | "winner">;

export const autotuneState = ({ isStarted, winner }: Run): State => (!isStarted ? "waiting" : winner === null ? "running" : "decided");

export const STATES = {
  waiting: { name: "Not started", tone: "off" },
  running: { name: "Running", tone: "active" },
  decided: { name: "Decided", tone: "good" },
} as const satisfies Record<State, { name: string; tone: string }>;

/** The statuses of the API, for the filter of the list. */
export const STATUS_NAMES = { setup: STATES.waiting.name, active: STATES.running.name, decision_made: STATES.decided.name };

/** Every variant needs so many units before traffic shifts. */
export const MIN_UNITS = 100;

const HOUR_MS = 60 * 60 * 1000;

/** When variants may win, ms. */
export const explorationEnd = ({ startTime, explorationWindow }: Pick<Autotune, "startTime" | "explorationWindow">): number =>
  (startTime ?? 0) + Number.parseInt(explorationWindow, 10) * HOUR_MS;

/** Whether no variant may win yet. @param now ms */
export const isExploring = (autotune: Autotune, now: number): boolean =>
  now < explorationEnd(autotune) || (autotune.progress?.variants ?? []).some(({ units }) => units < MIN_UNITS);

/** The condition that a running autotune waits for, as a sentence. @param now ms */
export function waitsFor(autotune: Autotune, now: number): string {
  const fewest = Math.min(...(autotune.progress?.variants ?? []).map(({ units }) => units));
  if (fewest < MIN_UNITS)
    return `Traffic is split equally until every variant has ${MIN_UNITS} ${unitNoun(autotune.idType)} past their outcome window. The smallest has ${fewest}.`;
  if (now < explorationEnd(autotune)) return "Exploring: no winner is declared before the exploration ends.";
  return `The first variant with a probability of ${autotune.winnerThreshold} of being best wins, and everyone gets it.`;
}
