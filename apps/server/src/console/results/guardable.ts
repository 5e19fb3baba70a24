import type { Experiment } from "../experiments/experiment.ts";
import type { Gate } from "../gates/gate.ts";

/** The entities with guardrails, named after their table. */
export type Guardable = { gate: Gate; experiment: Experiment };
export type GuardedType = keyof Guardable;

/** The statuses that entities are checked in. */
export const WATCHED_STATUSES: Record<GuardedType, string[]> = { gate: ["In Progress"], experiment: ["active", "assignment_stopped"] };
