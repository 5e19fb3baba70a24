// The file of an export. Pure.
import type { Schema } from "../../api.ts";
import { csvCell } from "../../shell/csv.ts";
import { isoTime } from "../../ui/iso-time.ts";

export type Format = "ndjson" | "csv";
type Item = Schema<"Change"> | Schema<"AuditLog">;

const CHANGE_COLUMNS = [
  "seq",
  "time",
  "actorID",
  "actorName",
  "operationID",
  "entityType",
  "entityID",
  "entityName",
  "version",
  "isDeletion",
  "reason",
  "requestID",
  "fieldCount",
  "fields",
] as const satisfies (keyof Schema<"Change">)[];

const LOG_COLUMNS = [
  "id",
  "timestamp",
  "updatedByUserID",
  "updatedBy",
  "modifierEmail",
  "operationID",
  "actionType",
  "entityType",
  "entityID",
  "name",
  "version",
  "reason",
  "address",
  "userAgent",
  "requestID",
  "tags",
  "changes",
] as const satisfies (keyof Schema<"AuditLog">)[];

const TIMES: readonly string[] = ["time", "timestamp"];

const exportColumns = (isTrail: boolean): readonly string[] => (isTrail ? LOG_COLUMNS : CHANGE_COLUMNS);

/** Text before the first entry. */
export const fileHead = (format: Format, isTrail: boolean): string => (format === "csv" ? `${exportColumns(isTrail).join(",")}\r\n` : "");

/** An entry as a line of the file. */
export function fileLine(format: Format, isTrail: boolean, item: Item): string {
  if (format === "ndjson") return `${JSON.stringify(item)}\n`;
  const values = item as Record<string, unknown>;
  return `${exportColumns(isTrail)
    .map((column) => csvCell(TIMES.includes(column) ? isoTime(Number(values[column])) : values[column]))
    .join(",")}\r\n`;
}
