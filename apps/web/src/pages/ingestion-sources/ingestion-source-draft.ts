// Edits of an ingestion source that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import type { UnitColumn } from "../../entity/unit-columns.tsx";
import type { Dataset } from "../../ingestion/ingestion-words.ts";
import { changedParts, describeFields, type FieldsDraft, fieldsModel, type Stored } from "../../saving/draft-model.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { TEAM_WORDS, type TeamFields } from "../../targeting/team-fields.ts";

export type IngestionSource = Schema<"IngestionSource">;
export type StoredIngestionSource = Stored<IngestionSource>;
export type Engine = IngestionSource["type"];

/** The columns of each dataset, beside those with ids and metadata. */
export const COLUMNS_OF = {
  Events: ["event_name", "timestamp", "event_value", "metadata_object"],
  Exposures: ["experiment", "group_id", "timestamp", "metadata_object"],
} as const satisfies Record<Dataset, readonly string[]>;
export type ColumnName = (typeof COLUMNS_OF)[Dataset][number];
/** A source need not have these. */
export const OPTIONAL: readonly ColumnName[] = ["event_value", "metadata_object"];

const ORIGIN = ["sourceType", "query", "schema", "table"] as const;
const LISTS = ["units", "metadata"] as const;
const COLUMNS = [...new Set(Object.values(COLUMNS_OF).flat())];

/** The column with one value of the metadata. */
export type MetadataColumn = { name: string; column: string };

/** Missing texts are empty. The column of the `userID` is one of the units. */
export type Fields = Record<ColumnName, string> &
  TeamFields &
  OwnerFields & {
    enabled: boolean;
    type: Engine;
    sourceType: "query" | "table";
    query: string;
    schema: string;
    table: string;
    units: readonly UnitColumn[];
    metadata: readonly MetadataColumn[];
  };
export type IngestionSourceDraft = FieldsDraft<IngestionSource, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  enabled: { label: "Daily copy", as: "switch" },
  type: { label: "Engine", as: "value" },
  sourceType: { label: "Rows come from", as: "value" },
  query: { label: "Query", as: "text" },
  schema: { label: "Schema", as: "value" },
  table: { label: "Table", as: "value" },
  event_name: { label: "Event column", as: "value" },
  experiment: { label: "Experiment column", as: "value" },
  group_id: { label: "Group column", as: "value" },
  timestamp: { label: "Time column", as: "value" },
  units: { label: "ID columns", as: "names" },
  event_value: { label: "Value column", as: "value" },
  metadata: { label: "Metadata columns", as: "names" },
  metadata_object: { label: "Metadata object column", as: "value" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
};

export const columnLabel = (name: ColumnName): string => WORDS[name].label;

export const USER_ID = "userID";

function toFields({ enabled, type, data, team, teamID, owner = null }: IngestionSource): Fields {
  const mapping: Pick<typeof data.column_mapping, "unit_id" | "ids" | "metadata"> & { [Name in ColumnName]?: string | null } =
    data.column_mapping;
  const { unit_id, ids, metadata } = mapping;
  const { query, schema, table } = data;
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, mapping[name] ?? ""])) as Record<ColumnName, string>;
  const users = unit_id == null ? [] : [{ unit: USER_ID, column: unit_id }];
  return {
    ...columns,
    ...{ enabled, type, sourceType: table == null ? "query" : "table", query: query ?? "", schema: schema ?? "", table: table ?? "" },
    units: [...users, ...Object.entries(ids).map(([unit, column]) => ({ unit, column }))],
    metadata: Object.entries(metadata).map(([name, column]) => ({ name, column })),
    ...{ team: team ?? null, teamID: teamID ?? null, owner },
  };
}

export const ingestionSourceModel = fieldsModel<IngestionSource, Fields>(WORDS, toFields);

const toOrigin = ({ sourceType, query, schema, table }: Fields): WritableSchema<"IngestionOrigin"> =>
  sourceType === "query" ? { query } : { schema: schema.trim() === "" ? null : schema, table };

/** The columns as a request names them. A `userID` has a separate field there. */
export function toMapping(dataset: Dataset, fields: Pick<Fields, ColumnName | "units" | "metadata">) {
  const columns = Object.fromEntries(COLUMNS_OF[dataset].map((name) => [name, fields[name]])) as Record<"timestamp", string>;
  const user = fields.units.find(({ unit }) => unit === USER_ID);
  return {
    ...columns,
    ...(user !== undefined && { unit_id: user.column }),
    ids: Object.fromEntries(fields.units.filter((one) => one !== user).map(({ unit, column }) => [unit, column])),
    metadata: Object.fromEntries(fields.metadata.map(({ name, column }) => [name, column])),
  } satisfies WritableSchema<"IngestionColumnsGiven">;
}

const isIn = (changed: object, names: readonly string[]): boolean => names.some((name) => name in changed);

export function toWriteRequests(draft: IngestionSourceDraft): BatchRequest[] {
  const { stored, fields } = draft;
  const changed = changedParts(ingestionSourceModel, draft);
  if (Object.keys(changed).length === 0) return [];
  const { enabled, type, team, teamID, owner } = changed;
  const body: WritableSchema<"IngestionSourcePatch"> = {
    ...(enabled !== undefined && { enabled }),
    ...(type !== undefined && { type }),
    ...(team !== undefined && { team }),
    ...(teamID !== undefined && { teamID }),
    ...(owner !== undefined && { owner }),
    ...(isIn(changed, ORIGIN) && toOrigin(fields)),
    ...(isIn(changed, [...COLUMNS, ...LISTS]) && { column_mapping: toMapping(stored.entity.data.dataset, fields) }),
  };
  return [{ operationId: "patchIngestionSource", path: { name: stored.entity.id }, body, ifMatch: stored.etag }];
}

/** Whether the draft reads other rows, or the same ones in another way. Copied days keep their rows. */
export const changesRows = (draft: IngestionSourceDraft): boolean =>
  isIn(changedParts(ingestionSourceModel, draft), [...ORIGIN, ...COLUMNS, ...LISTS]);

/** Mappings as texts, one for each. */
const toTexts = (fields: Fields) => ({
  ...fields,
  units: fields.units.map(({ unit, column }) => `${unit}: ${column}`),
  metadata: fields.metadata.map(({ name, column }) => `${name}: ${column}`),
});

const difference = (id: string, before: Fields, after: Fields): DescribedEntity[] =>
  describeFields(WORDS, { type: "ingestion_source", noun: "Ingestion source", id }, toTexts(before), toTexts(after));

export const describeDraft = ({ stored: { entity }, fields }: IngestionSourceDraft) => difference(entity.id, toFields(entity), fields);

export const describeVersions = (before: IngestionSource, after: IngestionSource) =>
  difference(after.id, toFields(before), toFields(after));
