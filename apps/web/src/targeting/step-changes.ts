// What the steps of an experiment, autotune or prompt change, as sentences. Pure.
import type { Change } from "./change.ts";
import { type DescribedEntity, describeChanges, entityTitle } from "./changes.ts";
import { equal } from "./equal.ts";
import type { KnownNames } from "./field-words.ts";
import { type Part, subject, text, timeValue, value } from "./parts.ts";
import { statusName } from "./status-names.ts";
import type { EntityChange } from "./types.ts";

type Fields = ReadonlyMap<string, EntityChange["fields"][number]>;

/** Fields that follow from the step, which the sentence about it says. */
const FOLLOWING_STATUS = [
  ...["startTime", "endTime", "assignmentStopTime", "decisionTime", "resetTime", "scheduledStartTime", "statusBeforeArchive"],
  ...["launchedGroupID", "decisionReason", "isStale"],
];
const FOLLOWING_RUN = ["startTime", "decisionTime", "decisionReason", "progress"];

/**
 * The changes of a step: those that the step always causes in a sentence, and of other entities by field. The review adds fields that no sentence
 * says. @param names of groups and versions by id
 */
export function describeStep(changes: readonly EntityChange[], names: KnownNames = {}): DescribedEntity[] {
  return changes.flatMap((change) => {
    const { entityType, entityID } = change;
    const sentences = stepSentences(change, names);
    if (sentences.length === 0) return describeChanges([change], [], names);
    return [{ entityType, entityID, title: entityTitle(entityType, entityID), changes: sentences }];
  });
}

/** The sentences about a step of an experiment, autotune or prompt. Empty for other changes. */
export function stepSentences({ entityType, fields: list }: EntityChange, names: KnownNames = {}): Change[] {
  // A deletion or creation is one sentence already.
  if (list.some(({ field }) => field === "id")) return [];
  const fields: Fields = new Map(list.map((one) => [one.field, one]));
  if (entityType === "experiment") return experimentSentences(fields, names);
  if (entityType === "prompt") return promptSentences(fields, names);
  return entityType === "autotune" ? autotuneSentences(fields) : [];
}

/** The version of a prompt that becomes live, and the one that no longer is. */
function promptSentences(fields: Fields, names: KnownNames): Change[] {
  const { before = null, after = null } = fields.get("liveVersionID") ?? {};
  if (equal(before, after)) return [];
  const named = (id: unknown) => subject(`“${names[String(id)] ?? id}”`);
  const sentence =
    after === null
      ? [named(before), text("is no longer the live version.")]
      : before === null
        ? [named(after), text("becomes the live version.")]
        : [named(after), text("replaces"), named(before), text("as the live version.")];
  return [{ kind: "changed", field: "liveVersionID", parts: sentence }];
}

function experimentSentences(fields: Fields, names: KnownNames): Change[] {
  const status = fields.get("status");
  if (status === undefined) return scheduleSentences(fields);
  const covers = FOLLOWING_STATUS.filter((field) => fields.has(field));
  const parts = statusSentence(String(status.before), String(status.after), groupIn(fields, names));
  return [{ kind: "changed", field: "status", parts, covers }, ...reasonSentences(fields)];
}

/** The group that ships, or no longer ships. */
function groupIn(fields: Fields, names: KnownNames): Part {
  const { before, after } = fields.get("launchedGroupID") ?? {};
  const id = String(after ?? before ?? "");
  return subject(id === "" ? "a group" : `“${names[id] ?? id}”`);
}

function statusSentence(before: string, after: string, group: Part): Part[] {
  if (before === "archived") return [text("The experiment is unarchived. Its status is"), value(statusName(after)), text("again.")];
  switch (after) {
    case "active":
      return [text("The experiment starts now.")];
    case "assignment_stopped":
      return [text("The experiment stops enrolling new users now.")];
    case "experiment_stopped":
      return [text("The experiment ends now, without a decision.")];
    case "decision_made":
      return before === "experiment_stopped"
        ? [text("The experiment ships"), group, text(".")]
        : [text("The experiment ends now and ships"), group, text(".")];
    case "abandoned":
      return before === "experiment_stopped"
        ? [text("The experiment is abandoned without a winner.")]
        : [text("The experiment ends now without a winner.")];
    case "archived":
      return [text("The experiment is archived.")];
    default:
      return before === "decision_made"
        ? [text("The experiment returns to setup and no longer ships"), group, text(".")]
        : [text("The experiment returns to setup.")];
  }
}

/** The start that is scheduled, moved or removed. */
function scheduleSentences(fields: Fields): Change[] {
  const { before, after } = fields.get("scheduledStartTime") ?? {};
  if (equal(before, after)) return [];
  const parts =
    typeof after === "number"
      ? [
          text("The experiment starts on"),
          timeValue(after),
          ...(typeof before === "number" ? [text("instead of"), timeValue(before)] : []),
          text("."),
        ]
      : [text("The scheduled start is removed.")];
  return [{ kind: "changed", field: "scheduledStartTime", parts }];
}

/** A reason that is given or removed. */
function reasonSentences(fields: Fields): Change[] {
  const { before, after } = fields.get("decisionReason") ?? {};
  if (isGiven(after)) return [{ kind: "changed", field: "decisionReason", parts: [subject("Reason"), text(":"), value(after)] }];
  return isGiven(before) ? [{ kind: "changed", field: "decisionReason", parts: [text("The reason for the decision is deleted.")] }] : [];
}

const isGiven = (reason: unknown): reason is string => typeof reason === "string" && reason !== "";

function autotuneSentences(fields: Fields): Change[] {
  const [isStarted, winner] = [fields.get("isStarted"), fields.get("winner")];
  if (isStarted === undefined && winner === undefined) return [];
  const covers = [...FOLLOWING_RUN, "isStarted", "winner"].filter((field) => fields.has(field));
  const sentence = (parts: Part[]): Change => ({ kind: "changed", field: isStarted ? "isStarted" : "winner", parts, covers });
  const name = (winner?.after as { name?: string } | null | undefined)?.name;
  if (isStarted?.after === true) return [sentence([text("The autotune starts now.")])];
  if (isStarted?.after === false)
    return [sentence([text("The autotune stops. It starts over when you start it again.")]), ...reasonSentences(fields)];
  return [sentence([text("The autotune ends now and ships"), subject(`“${name ?? "a variant"}”`), text(".")]), ...reasonSentences(fields)];
}
