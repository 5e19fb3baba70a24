import type { Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { conflict } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { listed } from "../../common/words.ts";
import { created, modified } from "../common/stamp.ts";
import type { ReleasePipeline } from "../release-pipelines/release-pipeline.ts";

export type Release = Schema<"Release">;
export type Phase = Schema<"ReleasePhase">;
type Action = Release["actions"][number];
type Breach = Release["breaches"][number];

/** The latest actions that a release keeps. */
const MAX_ACTIONS = 1_000;

/** The entity that a release changes. */
export type Subject = { type: "gate" | "dynamic_config"; id: string };

/** Whether a release is not over. */
export function isActive({ status }: Pick<Release, "status">): boolean {
  return status !== "COMPLETED" && status !== "ABORTED";
}

/** The changed entity. */
export function subjectOf({ gateID, dynamicConfigID }: Release): Subject {
  return gateID === undefined ? { type: "dynamic_config", id: dynamicConfigID as string } : { type: "gate", id: gateID };
}

/** Starts a release with the first phase of a pipeline that has phases. */
export function startRelease({ id, phases }: ReleasePipeline, subject: Subject, context: Context): Release {
  const first = phases[0] as Phase;
  const release: Release = {
    id: randomID(),
    releasePipelineID: id,
    ...(subject.type === "gate" ? { gateID: subject.id } : { dynamicConfigID: subject.id }),
    ...(context.reason !== undefined && { description: context.reason }),
    ...created(context),
    status: "IN_PROGRESS",
    currentPhase: first.name,
    currentPhaseID: first.id,
    currentPhaseEndTime: null,
    remainingMs: null,
    phases: [],
    breaches: [],
    actions: [toAction("STARTED", first.id, context)],
    endedTime: null,
  };
  return entered(release, phases, 0, context.now);
}

/** Begins the phase that waits for an approval. @throws AppError conflict unless the release waits for this phase */
export function approved(release: Release, phases: readonly Phase[], phaseID: string, context: Context): Release {
  requireIn(release, phaseID, ["WAITING_FOR_REVIEW"]);
  const next = entered(release, phases, indexOf(phases, phaseID), context.now, { isApproved: true });
  return acted(next, release, "APPROVED_FOR", phaseID, context);
}

/** Stops the timer of the current phase. @throws AppError conflict unless it runs */
export function paused(release: Release, phaseID: string, context: Context): Release {
  requireIn(release, phaseID, ["IN_PROGRESS"]);
  return acted(stopped(release, context.now), release, "PAUSED", phaseID, context);
}

/** Starts the timer of the current phase again, whatever broke a guardrail of it. @throws AppError conflict unless it is stopped */
export function resumed(release: Release, phaseID: string, context: Context): Release {
  requireIn(release, phaseID, ["PAUSED"]);
  const breaches = release.breaches.map((breach) => ({ ...breach, isAcknowledged: true }));
  const timer = { currentPhaseEndTime: toEndTime(context.now, release.remainingMs ?? 0), remainingMs: null };
  return acted({ ...release, status: "IN_PROGRESS", ...timer, breaches }, release, "UNPAUSED", phaseID, context);
}

/** Goes on with a later phase. @throws AppError conflict unless the release is active and the phase comes after the current one */
export function skippedTo(release: Release, phases: readonly Phase[], phaseID: string, context: Context): Release {
  requireActive(release);
  const [target, current] = [indexOf(phases, phaseID), indexOf(phases, release.currentPhaseID)];
  if (target <= current) throw conflict(`Phase ${phaseID} does not come after the current phase of release ${release.id}.`, "phaseID");
  const passed = begun(release, phases.slice(current, target), context.now);
  return acted(entered(passed, phases, target, context.now), release, "SKIPPED", phaseID, context);
}

/** Lets everyone have the change. @throws AppError conflict unless the release is active */
export function completed(release: Release, phases: readonly Phase[], context: Context): Release {
  requireActive(release);
  const { currentPhaseID } = release;
  const passed = begun(release, phases.slice(indexOf(phases, currentPhaseID)), context.now);
  return acted(ended(passed, "COMPLETED", context.now), release, "FULL_ROLL_OUT", currentPhaseID as string, context);
}

/** Takes the change back. @throws AppError conflict unless the release is active */
export function aborted(release: Release, context: Context): Release {
  requireActive(release);
  return acted(ended(release, "ABORTED", context.now), release, "ABORTED", release.currentPhaseID as string, context);
}

/** Whether the timer of the current phase has run out. */
export function isDue({ status, currentPhaseEndTime }: Release, now: number): boolean {
  return status === "IN_PROGRESS" && (currentPhaseEndTime ?? now) <= now;
}

/** Begins the next phase. */
export function advanced(release: Release, phases: readonly Phase[], context: Context): Release {
  const next = entered(release, phases, indexOf(phases, release.currentPhaseID) + 1, context.now);
  return { ...next, ...modified(release, context) };
}

/** The release stopped by guardrails that were broken; undefined if they were acknowledged in this phase. */
export function breached(
  release: Release,
  found: readonly Pick<Breach, "kind" | "id" | "reason">[],
  context: Context,
): Release | undefined {
  const added = found.filter(({ kind, id }) => !release.breaches.some((one) => one.kind === kind && one.id === id));
  if (added.length === 0 || release.status !== "IN_PROGRESS") return undefined;
  const breaches = [...release.breaches, ...added.map((one) => ({ ...one, time: context.now, isAcknowledged: false }))];
  return acted({ ...stopped(release, context.now), breaches }, release, "PAUSED", release.currentPhaseID as string, context);
}

/** The phases that need an approval, and that skipping to a phase would begin without one. @param phaseID null for all that are left */
export function unapproved(release: Release, phases: readonly Phase[], phaseID: string | null): Phase[] {
  const current = indexOf(phases, release.currentPhaseID);
  const first = release.status === "WAITING_FOR_REVIEW" ? current : current + 1;
  const end = phaseID === null ? phases.length : indexOf(phases, phaseID);
  return phases.slice(first, end).filter(({ requiredReview }) => requiredReview);
}

/** The current phase. Undefined once the release has ended. */
export function currentPhase(release: Release, phases: readonly Phase[]): Phase | undefined {
  return phases.find(({ id }) => id === release.currentPhaseID);
}

/** Enters a phase: it begins, unless it needs an approval. Phases that last no time are followed by the next at once. */
function entered(given: Release, phases: readonly Phase[], index: number, now: number, { isApproved = false } = {}): Release {
  const phase = phases[index];
  if (!phase) return ended(given, "COMPLETED", now);
  const release = { ...given, currentPhase: phase.name, currentPhaseID: phase.id, remainingMs: null, breaches: [] };
  if (phase.requiredReview && !isApproved) return { ...release, status: "WAITING_FOR_REVIEW", currentPhaseEndTime: null };
  const next: Release = {
    ...begun(release, [phase], now),
    status: "IN_PROGRESS",
    currentPhaseEndTime: toEndTime(now, phase.timeIntervalMs),
  };
  return phase.timeIntervalMs === 0 ? entered(next, phases, index + 1, now) : next;
}

function begun(release: Release, phases: readonly Phase[], now: number): Release {
  const known = new Set(release.phases.map(({ phaseID }) => phaseID));
  const added = phases.filter(({ id }) => !known.has(id)).map(({ id, name }) => ({ phaseID: id, name, startTime: now }));
  return { ...release, phases: [...release.phases, ...added] };
}

function stopped(release: Release, now: number): Release {
  const remainingMs = Math.max(0, (release.currentPhaseEndTime ?? now) - now);
  return { ...release, status: "PAUSED", currentPhaseEndTime: null, remainingMs };
}

function ended(release: Release, status: "COMPLETED" | "ABORTED", now: number): Release {
  const none = { currentPhase: null, currentPhaseID: null, currentPhaseEndTime: null, remainingMs: null };
  return { ...release, status, ...none, endedTime: now };
}

function acted(next: Release, before: Release, type: Action["type"], phaseID: string, context: Context): Release {
  const actions = [...before.actions, toAction(type, phaseID, context)].slice(-MAX_ACTIONS);
  return { ...next, actions, ...modified(before, context) };
}

function toAction(type: Action["type"], phaseID: string, { actor, now }: Context): Action {
  return { type, timeMs: now, phaseID, actorID: actor.id, actorName: actor.name };
}

function toEndTime(now: number, ms: number): number {
  return Math.min(now + ms, Number.MAX_SAFE_INTEGER);
}

/** The position of a phase; -1 for null and for a phase of no release. */
function indexOf(phases: readonly Phase[], phaseID: string | null): number {
  return phases.findIndex(({ id }) => id === phaseID);
}

function requireActive(release: Release): void {
  if (!isActive(release)) throw conflict(`Release ${release.id} has ended: it is ${release.status}.`, "status");
}

/** @throws AppError conflict unless the phase is the current one, and the release has one of the statuses */
function requireIn(release: Release, phaseID: string, statuses: readonly Release["status"][]): void {
  requireActive(release);
  if (release.currentPhaseID !== phaseID)
    throw conflict(`Phase ${phaseID} is not the current phase of release ${release.id}, which is ${release.currentPhaseID}.`, "phaseID");
  if (!statuses.includes(release.status))
    throw conflict(`Release ${release.id} is ${release.status}, and must be ${listed(statuses, "or")}.`, "status");
}
