import type { Comment } from "../comments/comment.ts";
import { type MetricName, toMetricName } from "../common/named.ts";
import { nextRollout } from "../common/rollout.ts";
import type { Experiment } from "../experiments/experiment.ts";
import type { Gate } from "../gates/gate.ts";
import { type Release, subjectOf } from "../releases/release.ts";
import { approvedBy, type Review } from "../reviews/review.ts";
import type { ScheduledChange } from "../scheduled-changes/scheduled-change.ts";
import type { NotificationEvent } from "./notification.ts";

type Key = { type: string; id: string };

/** The people who get a notification. `ownerOf` stands for the owner of the entity, or else for its creator. */
type Audience =
  | { ids: readonly (string | null)[] }
  | { ownerOf: Key; and?: string | null }
  | { reviewersOf: Review }
  | { approversOf: Release };

/** A notification before the names of its entities and its readers are known. */
export type Draft = {
  /** Names it in place of its entry, so that an experiment that is found twice notifies once, and a comment each person once. */
  key?: string;
  event: NotificationEvent;
  opens: Key;
  /** The comment on it that the link shows. */
  commentID?: string;
  about: Key;
  aboutCount?: number;
  /** Who is named in place of the actor of the entry. */
  by?: { name: string; email: string | null };
  said?: string | null;
  /** The metrics that end what was said. */
  metrics?: readonly MetricName[];
  to: Audience;
};

/** The parts of an entry of the change log that decide whether it can notify anyone. */
type Item = { entityType: string; version: number; operationID: string };

/** An entry with the texts of its entity, or of its event. */
type Entry = { entityType: string; entityID: string; time: number; before: string | null; after: string | null };

const ROLLOUTS = new Set(["carryOutGateRollouts", "carryOutDynamicConfigRollouts", "lookAtGuardrails"]);
const ENTITIES = new Set(["review", "release", "scheduled_change", "experiment", "comment"]);
const EVENTS = new Set(["topline_alert", "guardrail_alert"]);

/** Whether an entry can notify anyone. The job reads the texts of no other entries. */
export function isNotable({ entityType, version, operationID }: Item): boolean {
  if (version === 0) return EVENTS.has(entityType);
  return ENTITIES.has(entityType) || (ROLLOUTS.has(operationID) && (entityType === "gate" || entityType === "dynamic_config"));
}

/** The notifications of an entry. If a person is in several, the first one counts. */
export function draftsOf(entry: Entry): Draft[] {
  const { entityType: type, entityID: id, time } = entry;
  const [before, after] = [entry.before, entry.after].map((text) => (text === null ? null : JSON.parse(text)));
  if (after === null) return [];
  switch (type) {
    case "review":
      return draftsOfReview(before, after);
    case "comment":
      return draftsOfComment(before, after);
    case "release":
      return draftsOfRelease(before, after);
    case "scheduled_change":
      return draftsOfScheduledChange(before, after);
    case "experiment":
      return before !== null && readyTime(before, time) !== null ? [] : draftsOfReady(after, time);
    case "topline_alert":
      return draftsOfAlert(id, after);
    case "guardrail_alert":
      return draftsOfGuardrail(after);
    default:
      return draftsOfRollouts({ type, id }, before, after);
  }
}

function draftsOfReview(before: Review | null, after: Review): Draft[] {
  const { id, author, entities, reason } = after;
  const [first = { entityType: "review", entityID: id }] = entities;
  const about = { about: { type: first.entityType, id: first.entityID }, aboutCount: entities.length };
  const draft = (event: NotificationEvent, to: Audience, said: string | null = null): Draft => ({
    ...{ event, opens: { type: "review", id }, ...about, said, to },
  });
  const toAuthor = (event: NotificationEvent, said?: string | null) => draft(event, { ids: [author.id] }, said);
  const request = (to: Audience) => ({ ...draft("REVIEW_REQUESTED", to, reason), by: author });
  const asking = request({ reviewersOf: after });
  if (before === null) return after.status === "PENDING" ? [asking] : [];
  const drafts: Draft[] = [];
  for (const { text, mentions = [] } of after.comments.slice(before.comments.length)) {
    if (mentions.length > 0) drafts.push(draft("MENTIONED", { ids: mentions.map((one) => one.id) }, text));
    drafts.push(toAuthor("REVIEW_COMMENTED", text));
  }
  for (const { isApproved, note } of after.approvals.slice(before.approvals.length))
    drafts.push(toAuthor(isApproved ? "REVIEW_APPROVED" : "REVIEW_REJECTED", note));
  const isRevised = after.revision !== before.revision;
  const isReopened = before.status === "APPROVED" && after.status === "PENDING";
  if (isReopened || (isRevised && approvedBy(before).length > 0)) drafts.push(toAuthor("REVIEW_UNAPPROVED", after.moved));
  if (after.status === "PENDING") drafts.push(isRevised || isReopened ? asking : request({ ids: newReviewers(before, after) }));
  if (after.status !== before.status && after.status === "COMMITTED") drafts.push(toAuthor("REVIEW_COMMITTED"));
  if (after.status !== before.status && after.status === "CANCELED") drafts.push(toAuthor("REVIEW_CANCELED"));
  if (after.validation?.status === "FAILED" && before.validation?.status !== "FAILED")
    drafts.push(toAuthor("REVIEW_VALIDATION_FAILED", after.validation.message));
  return drafts;
}

/** Notifies each person of a comment once, even if later edits mention them again. */
function draftsOfComment(before: Comment | null, { id, entityType, entityID, text, mentions = [] }: Comment): Draft[] {
  const known = new Set(before?.mentions?.map((one) => one.id));
  const ids = mentions.map((one) => one.id).filter((one) => !known.has(one));
  if (ids.length === 0) return [];
  const subject = { type: entityType, id: entityID };
  return [{ key: `comment_${id}`, event: "MENTIONED", opens: subject, commentID: id, about: subject, said: text, to: { ids } }];
}

/** The people that the author has added. */
function newReviewers({ reviewers: before = [] }: Review, { reviewers = [] }: Review): string[] {
  return reviewers.map(({ id }) => id).filter((id) => before.every((one) => one.id !== id));
}

function draftsOfRelease(before: Release | null, after: Release): Draft[] {
  const about = subjectOf(after);
  const draft = (event: NotificationEvent, to: Audience, said: string | null = null): Draft => ({
    ...{ event, opens: { type: "release", id: after.id }, about, said, to },
  });
  const toOwners = (event: NotificationEvent, said?: string) => draft(event, { ownerOf: about, and: after.creatorID }, said);
  if (after.status === before?.status && after.currentPhaseID === before.currentPhaseID) return [];
  switch (after.status) {
    case "WAITING_FOR_REVIEW":
      return [draft("ROLLOUT_NEEDS_APPROVAL", { approversOf: after }, after.currentPhase)];
    case "COMPLETED":
      return [toOwners("ROLLOUT_FINISHED")];
    case "ABORTED":
      return [toOwners("ROLLOUT_ABORTED")];
    case "PAUSED": {
      const broken = after.breaches.filter((one) => !one.isAcknowledged).at(-1);
      return [broken ? toOwners("ROLLOUT_PAUSED_BY_GUARDRAIL", broken.reason) : toOwners("ROLLOUT_PAUSED")];
    }
    default:
      return [];
  }
}

function draftsOfScheduledChange(before: ScheduledChange | null, after: ScheduledChange): Draft[] {
  if (after.status !== "FAILED" || before?.status === "FAILED") return [];
  const [first = { entityType: "scheduled_change", entityID: after.id }] = after.entities;
  const about = { type: first.entityType, id: first.entityID };
  const opens = { type: "scheduled_change", id: after.id };
  const said = after.error?.message ?? null;
  return [{ event: "SCHEDULED_CHANGE_FAILED", opens, about, aboutCount: after.entities.length, said, to: { ids: [after.author.id] } }];
}

const ALERT_EVENTS: Record<string, NotificationEvent> = {
  raise: "ALERT_RAISED",
  warn: "ALERT_WARNED",
  resolve: "ALERT_RESOLVED",
  "no-data": "ALERT_WITHOUT_DATA",
};

function draftsOfAlert(id: string, { eventType, reason }: { eventType: string; reason: string | null }): Draft[] {
  const [alert, event] = [{ type: "alert", id }, ALERT_EVENTS[eventType]];
  return event ? [{ event, opens: alert, about: alert, said: reason, to: { ownerOf: alert } }] : [];
}

type GuardrailDetails = { gateID?: string; experimentID?: string; metricID: string; resolvedTime?: number };

function draftsOfGuardrail({ gateID, experimentID, metricID, resolvedTime }: GuardrailDetails): Draft[] {
  if (resolvedTime !== undefined) return [];
  const subject = gateID === undefined ? { type: "experiment", id: experimentID ?? "" } : { type: "gate", id: gateID };
  return [{ event: "GUARDRAIL_BROKEN", opens: subject, about: subject, metrics: [toMetricName(metricID)], to: { ownerOf: subject } }];
}

type Rolled = Pick<Gate, "rules"> & { pausedBy?: Gate["pausedBy"] };

function draftsOfRollouts(subject: Key, before: Rolled | null, after: Rolled): Draft[] {
  const draft = (event: NotificationEvent, given: Partial<Draft> = {}): Draft => ({
    ...{ event, opens: subject, about: subject, to: { ownerOf: subject }, ...given },
  });
  const added = (after.pausedBy ?? []).slice(before?.pausedBy?.length ?? 0);
  if (added.length > 0) {
    const metricIDs = [...new Set(added.map(({ metricID }) => metricID))];
    return [
      draft("ROLLOUT_PAUSED_BY_GUARDRAIL", { said: "A metric got worse than its guardrail allows:", metrics: metricIDs.map(toMetricName) }),
    ];
  }
  const isFinished = before !== null && nextRollout(before.rules) !== null && nextRollout(after.rules) === null;
  return isFinished ? [draft("ROLLOUT_FINISHED")] : [];
}

const DAY_MS = 86_400_000;

type Run = Pick<Experiment, "status" | "startTime" | "duration">;

/** Since when an experiment without a decision has run as long as planned, ms. Null if it has not at a time, or is not running. */
export function readyTime({ status, startTime, duration }: Run, now: number): number | null {
  if ((status !== "active" && status !== "assignment_stopped") || startTime === null || duration <= 0) return null;
  const end = startTime + duration * DAY_MS;
  return end <= now ? end : null;
}

/** The notification that an experiment has run as long as planned, if it has at a time, ms. */
export function draftsOfReady(experiment: Run & Pick<Experiment, "id">, now: number): Draft[] {
  const [since, subject] = [readyTime(experiment, now), { type: "experiment", id: experiment.id }];
  if (since === null) return [];
  return [{ key: `ready_${experiment.id}_${since}`, event: "EXPERIMENT_READY", opens: subject, about: subject, to: { ownerOf: subject } }];
}
