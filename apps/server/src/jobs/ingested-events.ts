import { createHash } from "node:crypto";
import { type EventRow, readCopied } from "../evaluation/events/logged-event.ts";
import { isStorable } from "../evaluation/events/storable.ts";
import type { CopiedRows, EqualRows, Texts } from "../results/sql/day-rows.ts";
import type { Dialect } from "../results/sql/dialect.ts";
import { sourceQuery } from "../results/sql/source-query.ts";
import type { Column } from "../store/database/engines.ts";

type Mapping = {
  timestamp: string;
  unit_id?: string | null;
  ids?: Readonly<Record<string, string>>;
  metadata?: Readonly<Record<string, string>>;
  metadata_object?: string | null;
  event_value?: string | null;
} & ({ event_name: string } | { experiment: string; group_id: string });

/** The dataset and definition of an ingestion source's rows. */
export type SourceRows = {
  dataset: "Events" | "Exposures";
  query?: string | null;
  schema?: string | null;
  table?: string | null;
  column_mapping: Mapping;
};

/** The names of exposure events. They count only if SDKs or the dataset `Exposures` send them. */
const EXPOSURES = "statsig::";
const EXPOSURE_NAME = `${EXPOSURES}config_exposure`;
/** As in the contract of events. */
const MAX_NAME_LENGTH = 128;

/** The rows of a source, or why they cannot be read. */
export function toCopiedRows(
  source: string,
  rows: SourceRows,
  columns: readonly Column[],
  dialect: Dialect,
): CopiedRows | { reason: string } {
  const { timestamp } = rows.column_mapping;
  const read = mappedColumns(rows.column_mapping);
  const types = new Map(columns.map(({ name, type }) => [name, type]));
  const missing = read.find((column) => !types.has(column));
  if (missing !== undefined) return { reason: `The ingestion source ${source} has no column ${missing}.` };
  const timestampType = types.get(timestamp) as string;
  if (!dialect.columnTime("", timestampType))
    return { reason: `The column ${timestamp} of the ingestion source ${source} has the type ${timestampType}, which is not a time.` };
  return { query: queryOfRows(rows, dialect), timestampColumn: timestamp, timestampType, columns: read };
}

/** The select that answers the rows of a source. */
export function queryOfRows({ query, schema, table }: SourceRows, dialect: Dialect): string {
  if (query) return sourceQuery({ sourceType: "query", sql: query, tableName: "" }, dialect);
  return sourceQuery({ sourceType: "table", sql: "", tableName: [schema, table].filter(Boolean).join(".") }, dialect);
}

function mappedColumns(mapping: Mapping): string[] {
  const { timestamp, unit_id, ids = {}, metadata = {}, metadata_object, event_value } = mapping;
  const named = "event_name" in mapping ? [mapping.event_name] : [mapping.experiment, mapping.group_id];
  const all = [timestamp, unit_id, metadata_object, event_value, ...named, ...Object.values(ids), ...Object.values(metadata)];
  return [...new Set(all.filter((column) => column !== undefined && column !== null))].sort();
}

/** Sources with the same hash have the same rows, with comparable identities. Engines write the texts of columns in other ways. */
export function hashDefinition(engine: string, { dataset, query, schema, table, column_mapping }: SourceRows): string {
  const text = JSON.stringify([engine, dataset, query, schema, table, column_mapping], (_key, part) => sorted(part));
  return createHash("sha256").update(text).digest("base64url");
}

/** The order of keys has no meaning. */
function sorted(part: unknown): unknown {
  if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A row as it is copied. */
export type ReadRow = {
  /** The row's event, or the reason for refusing it. */
  event: EventRow | { reason: string };
  /** The name for its count, refused or not: its event, or its experiment. Undefined for an invalid name. */
  name: string | undefined;
};

/** @param now ms since the epoch */
export function readRow({ column_mapping: mapping }: SourceRows, { fields, time }: EqualRows, now: number): ReadRow {
  if (fields === null) return { event: { reason: "it has more than 1,048,576 characters" }, name: undefined };
  const texts = JSON.parse(fields) as Texts;
  const at: Cell = (column) => (column ? (texts[column] ?? null) : null);
  return { event: toEvent(mapping, at, time, now), name: readName(mapping, at) };
}

function toEvent(mapping: Mapping, at: Cell, time: number, now: number): ReadRow["event"] {
  const metadata = readMetadata(mapping, at);
  if ("reason" in metadata) return metadata;
  const user = { userID: at(mapping.unit_id) ?? "", customIDs: readTexts(mapping.ids, at) };
  if (user.userID === "" && Object.values(user.customIDs).every((id) => id === "")) return { reason: "it has no id of a unit" };
  const rest = { time, user, value: at(mapping.event_value) };
  if ("event_name" in mapping) {
    const eventName = at(mapping.event_name);
    if (eventName?.startsWith(EXPOSURES))
      return { reason: `its event begins with ${EXPOSURES}, as exposures do, whose dataset is Exposures` };
    return readCopied({ ...rest, eventName, metadata: metadata.value }, now);
  }
  const [id, ruleID] = [at(mapping.experiment), at(mapping.group_id)];
  if (!id || !ruleID) return { reason: `it has no ${id ? mapping.group_id : mapping.experiment}` };
  return readCopied({ ...rest, eventName: EXPOSURE_NAME, metadata: { ...metadata.value, config: id, ruleID } }, now, { id, ruleID });
}

function readName(mapping: Mapping, at: Cell): string | undefined {
  const name = at("event_name" in mapping ? mapping.event_name : mapping.experiment);
  return name && isStorable(name) && name.length <= MAX_NAME_LENGTH ? name : undefined;
}

type Cell = (column: string | null | undefined) => string | null;

function readTexts(columns: Readonly<Record<string, string>> = {}, at: Cell): Record<string, string> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([name, column]) => {
      const text = at(column);
      return text === null ? [] : [[name, text]];
    }),
  );
}

function readMetadata(mapping: Mapping, at: Cell): { value: Record<string, unknown> } | { reason: string } {
  const text = at(mapping.metadata_object);
  const object = text === null || text === "" ? {} : parsed(text);
  if (object === undefined) return { reason: `its ${mapping.metadata_object} is no JSON object` };
  return { value: { ...object, ...readTexts(mapping.metadata, at) } };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
