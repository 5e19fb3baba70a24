// The file of an export. Pure.
import type { Schema } from "../../api.ts";

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
    .map((column) => cell(TIMES.includes(column) ? new Date(Number(values[column])).toISOString() : values[column]))
    .join(",")}\r\n`;
}

/** A spreadsheet takes a text that begins so for a formula. The apostrophe makes it a text. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(value: unknown): string {
  const text = value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = typeof value === "string" && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
