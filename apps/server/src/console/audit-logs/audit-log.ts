import type { Schema } from "@gatehouse/contract/console";
import { toActionType } from "./action-types.ts";

export type AuditLog = Schema<"AuditLog">;

/** An entry of the change log with the fields that changed. */
export type AuditLogEntry = Pick<AuditLog, "operationID" | "entityType" | "entityID" | "reason" | "address" | "userAgent" | "requestID"> & {
  seq: number;
  /** Milliseconds since the epoch. */
  time: number;
  actorID: string;
  actorName: string;
  actorEmail: string | null;
  /** 0 for entries that are not changes of an entity. */
  version: number;
  fields: { field: string; before: unknown; after: unknown }[];
  /** The entity after the change, or before its deletion. */
  entity: { name?: unknown; tags?: unknown; targetApps?: unknown };
};

const DAY = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", weekday: "short", month: "short", day: "2-digit", year: "numeric" });
const TIME = new Intl.DateTimeFormat("en-US", {
  timeZone: "UTC",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});

export function toAuditLog({ seq, time, actorID, actorName, actorEmail, version, fields, entity, ...entry }: AuditLogEntry): AuditLog {
  const { operationID, entityType, entityID } = entry;
  return {
    id: String(seq),
    name: typeof entity.name === "string" && version > 0 ? entity.name : entityID,
    changeLog: `${operationID}: ${entityType.replaceAll("_", " ")} ${entityID}`,
    actionType: toActionType({ operationID, entityType, version }),
    date: DAY.format(time).replaceAll(",", ""),
    time: `${TIME.format(time)} GMT+0000 (Coordinated Universal Time)`,
    timestamp: time,
    updatedBy: actorName,
    updatedByUserID: actorID,
    modifierEmail: actorEmail,
    changes: Object.fromEntries(fields.map(({ field, before, after }) => [field, { old: before, new: after }])),
    tags: version > 0 ? texts(entity.tags) : [],
    targetAppIDs: version > 0 ? texts(entity.targetApps) : [],
    ...entry,
    version: version > 0 ? version : null,
  };
}

function texts(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === "string");
}
