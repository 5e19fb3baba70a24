// Changes and audit log entries as the views show them. Pure.

import type { Schema } from "../../api.ts";
import { isOfIDs, type Undoable } from "../../entity/undoing.ts";
import { type PermissionName, permissionInWords } from "../../session/permissions.ts";
import { listed } from "../../ui/list-text.ts";

export type Entry = {
  /** Its number. Older entries have lower ones. */
  seq: number;
  time: number;
  actor: { id: string; name: string | null };
  /** The action, between the actor and the entity: `changed the`. */
  deed: string;
  /** The environments of the action, after the entity: `in staging`. Empty for all of them. */
  place: string;
  /** Null if no entity changed: then the deed says everything. */
  entity: { type: string; id: string; name: string } | null;
  operationID: string;
  version: number | null;
  isDeletion: boolean;
  reason: string | null;
  fields: readonly { field: string; before: unknown; after: unknown; isCut: boolean }[];
  fieldCount: number;
  /** From where the request came. Only the audit log has it. */
  origin?: { address: string | null; userAgent: string | null; requestID: string | null };
};

/** Operations whose name begins with a word that says more than that something changed. */
const DEEDS: readonly [pattern: RegExp, deed: string][] = [
  [/^create|^invite/, "created the"],
  [/^delete|^remove[A-Z]\w*Member|^purge/, "deleted the"],
  [/^restore/, "restored a version of the"],
  [/^archive/, "archived the"],
  [/^unarchive/, "unarchived the"],
  [/^enable(?!.*Groups)/, "enabled the"],
  [/^disable(?!.*Groups)/, "disabled the"],
  [/^launch/, "launched the"],
  [/^startExperiment/, "started the"],
  [/^resetExperiment/, "reset the"],
  [/^abandon/, "abandoned the"],
  [/^rotate/, "rotated the"],
  [/^deactivate/, "deactivated the"],
];

/** The same for reviews, whose requests are other operations. */
const REVIEW_DEEDS: readonly (typeof DEEDS)[number][] = [
  [/^approveReview/, "approved the"],
  [/^rejectReview/, "rejected the"],
  [/^cancelReview/, "canceled the"],
  [/^commitReview/, "published the"],
  [/^commentOnReview/, "commented on the"],
];

type Made = { operationID: string; entityType: string; version: number; isDeletion: boolean };

function describeDeed({ operationID, entityType, version, isDeletion }: Made): string {
  if (isDeletion) return "deleted the";
  if (entityType === "review") {
    return version === 1 ? "requested the" : (REVIEW_DEEDS.find(([pattern]) => pattern.test(operationID))?.[1] ?? "changed the");
  }
  if (version === 1) return "created the";
  const deed = DEEDS.find(([pattern]) => pattern.test(operationID))?.[1];
  // One request can change several entities: the tag that a new gate brings is not the gate.
  return deed === undefined || deed === "created the" || deed === "deleted the" ? "changed the" : deed;
}

/** Fields of every entity. A change never removes them, and a deletion removes at least one. */
const LASTING = ["id", "createdTime"];

type Field = Entry["fields"][number];

const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === "string") : []);

/** The action and its environments, if the entity is turned on or off only in some. Undefined for other changes. */
function describeSwitch(operationID: string, fields: readonly Field[]): Pick<Entry, "deed" | "place"> | undefined {
  const switched = fields.find(({ field }) => field === "disabledEnvironments");
  if (!/^(enable|disable)/.test(operationID) || switched === undefined || fields.some(({ field }) => field === "isEnabled")) return;
  const [before, after] = [namesIn(switched.before), namesIn(switched.after)];
  const [on, off] = [before.filter((name) => !after.includes(name)), after.filter((name) => !before.includes(name))];
  if (on.length > 0 === off.length > 0) return;
  return on.length > 0 ? { deed: "turned on the", place: `in ${listed(on)}` } : { deed: "turned off the", place: `in ${listed(off)}` };
}

export function entryOfChange(change: Schema<"Change">): Entry {
  const { seq, time, actorID, actorName, operationID, entityType, entityID, entityName, version, fields, fieldCount } = change;
  return {
    ...{ seq, time, operationID, version, fieldCount, isDeletion: change.isDeletion, reason: change.reason },
    actor: { id: actorID, name: actorName },
    ...(describeSwitch(operationID, fields) ?? { deed: describeDeed(change), place: "" }),
    entity: { type: entityType, id: entityID, name: entityName ?? entityID },
    fields: fields.map(({ field, before, after, isCut }) => ({ field, before, after, isCut })),
  };
}

export function entryOfLog(log: Schema<"AuditLog">): Entry {
  const { id, timestamp, updatedBy, updatedByUserID, changes, operationID, entityType, entityID, name, version } = log;
  const { address, userAgent, requestID, reason } = log;
  const fields = Object.entries(changes).map(([field, { old, new: after }]) => ({ field, before: old, after, isCut: false }));
  const isDeletion =
    version !== null && version > 1 && fields.every(({ after }) => after === null) && fields.some(({ field }) => LASTING.includes(field));
  return {
    ...{ seq: Number(id), time: timestamp, operationID, version, isDeletion, reason, fields, fieldCount: fields.length },
    actor: { id: updatedByUserID, name: updatedBy },
    ...(version === null
      ? { deed: describeEvent(log), place: "" }
      : (describeSwitch(operationID, fields) ?? { deed: describeDeed({ operationID, entityType, version, isDeletion }), place: "" })),
    entity: version === null ? null : { type: entityType, id: entityID, name },
    origin: { address, userAgent, requestID },
  };
}

const VERBS: Readonly<Record<string, string>> = { patch: "change", update: "change", get: "read" };

/** `patchGateRules` is “change gate rules”. */
function operationInWords(operationID: string): string {
  const [verb = "", ...rest] = operationID.split(/(?<=[a-z0-9])(?=[A-Z])/);
  return [VERBS[verb] ?? verb, ...rest.map((word) => (/^[A-Z]{2}/.test(word) ? word : word.toLowerCase()))].join(" ");
}

/** An entry that changes no entity, in words. */
function describeEvent({ operationID, entityType, entityID, reason, changes }: Schema<"AuditLog">): string {
  switch (entityType) {
    case "permission":
      return `was refused “${operationInWords(operationID)}”${
        entityID === operationID ? "" : `, which needs the permission “${permissionInWords(entityID as PermissionName)}”`
      }`;
    case "console_key_use":
      return "used a console key from a new address";
    case "guardrail_alert":
      return operationID === "resolveGateAlert" || operationID === "resolveExperimentAlert"
        ? "resolved a guardrail alert"
        : "raised a guardrail alert";
    case "topline_alert":
      return describeAlertEvent(entityID, changes.eventType?.new);
    case "ingestion_run":
      return operationID === "startIngestionBackfill" ? `started the backfill ${entityID}` : `added the ingestion run ${entityID}`;
    case "export":
      return operationID === "downloadUnitData"
        ? `downloaded the data of a unit, with receipt ${entityID}`
        : `exported the response of “${operationInWords(entityID)}”`;
    case "code_references":
      return `uploaded the code references of ${entityID}`;
    case "unit_data":
      return `deleted data of a unit, with receipt ${entityID}`;
    case "session":
      return describeSessionEvent(operationID, entityID, reason);
    default:
      return `made the request “${operationInWords(operationID)}”`;
  }
}

function describeAlertEvent(id: string, eventType: unknown): string {
  switch (eventType) {
    case "raise":
      return `raised the alert ${id}`;
    case "warn":
      return `raised a warning of the alert ${id}`;
    case "no-data":
      return `found no data for the alert ${id}`;
    default:
      return `resolved the alert ${id}`;
  }
}

/** The server gives the reason as a sentence, such as `Signed in.` */
function describeSessionEvent(operationID: string, entityID: string, reason: string | null): string {
  if (operationID === "endSession") return "ended a session";
  const deed =
    reason === null
      ? `made the request “${operationInWords(operationID)}”`
      : `${reason.charAt(0).toLowerCase()}${reason.slice(1).replace(/\.$/, "")}`;
  return entityID.includes("@") ? `${deed} as ${entityID}` : deed;
}

/** Identifies the entity of an entry. */
export const entityKey = ({ entity }: Entry): string => JSON.stringify(entity && [entity.type, entity.id]);

/** The entities whose newest change is a deletion. @param entries newest first */
export function deletedIn(entries: readonly Entry[]): ReadonlySet<string> {
  const newest = new Map(entries.toReversed().map((entry) => [entityKey(entry), entry]));
  return new Set([...newest].filter(([, { isDeletion }]) => isDeletion).map(([key]) => key));
}

/** The number of each entity's newest entry. @param entries newest first */
export const newestIn = (entries: readonly Entry[]): ReadonlyMap<string, number> =>
  new Map(entries.toReversed().map((entry) => [entityKey(entry), entry.seq]));

/** The change of an entry, to undo it. Undefined if it is a deletion or changes no entity. */
export function undoableOf({ entity, version, isDeletion, fields }: Entry, isLatest: boolean): Undoable | undefined {
  if (entity === null || version === null || isDeletion) return;
  return {
    ...{ entityType: entity.type, entityID: entity.id, name: entity.name, count: 1, deed: version === 1 ? "created" : "changed" },
    ...{ firstVersion: version, lastVersion: version, isLatest },
    isOfIDs: isOfIDs({ entityType: entity.type, version, isDeletion, fields }),
  };
}

/** Entries of one day follow each other. @param formatDay the name of a time's day */
export function byDay(entries: readonly Entry[], formatDay: (time: number) => string): { day: string; entries: Entry[] }[] {
  const days: { day: string; entries: Entry[] }[] = [];
  for (const entry of entries) {
    const day = formatDay(entry.time);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}
