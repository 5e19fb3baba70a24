// Edits of a source that is a table or a query with times, a metric source or a qualifying event, that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../api.ts";
import type { UnitColumn } from "../entity/unit-columns.tsx";
import { changedParts, describeFields, type FieldsDraft, fieldsModel } from "../saving/draft-model.ts";
import type { DescribedEntity } from "../targeting/changes.ts";
import type { FieldWords } from "../targeting/field-changes.ts";
import { OWNER_WORDS, type OwnerFields } from "../targeting/owner-fields.ts";
import { TEAM_WORDS } from "../targeting/team-fields.ts";
import type { Fault } from "../targeting/types.ts";
import { empty, faultsOfUnits, toMapping, toUnitColumns, unitTexts } from "./unit-faults.ts";

/** Qualifying events have the form of metric sources. */
export type TableSource = Schema<"MetricSource"> | Schema<"QualifyingEvent">;

/** A field computed from the columns. */
export type ComputedField = { key: string; formula: string };

const OWN = [
  "description",
  "tags",
  "team",
  "teamID",
  "sql",
  "tableName",
  "sourceType",
  "timestampColumn",
  "timestampAsDay",
  "isVerified",
] as const;
export type Fields = Pick<TableSource, (typeof OWN)[number]> &
  OwnerFields & {
    datePartitionColumn: string;
    idTypeMapping: readonly UnitColumn[];
    customFieldMapping: readonly ComputedField[];
  };
export type TableSourceDraft = FieldsDraft<TableSource, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  sourceType: { label: "Rows come from", as: "value" },
  sql: { label: "Query", as: "text" },
  tableName: { label: "Table", as: "value" },
  datePartitionColumn: { label: "Partition column", as: "value" },
  timestampColumn: { label: "Time column", as: "value" },
  timestampAsDay: { label: "Times are days", as: "value" },
  idTypeMapping: { label: "ID columns", as: "names" },
  customFieldMapping: { label: "Computed fields", as: "names" },
  description: { label: "Description", as: "text" },
  tags: { label: "Tags", as: "names" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
  isVerified: { label: "Verified", as: "value" },
};

const toFields = (source: TableSource): Fields => ({
  ...(Object.fromEntries(OWN.map((name) => [name, source[name]])) as Pick<TableSource, (typeof OWN)[number]>),
  owner: source.owner ?? null,
  datePartitionColumn: source.datePartitionColumn ?? "",
  idTypeMapping: toUnitColumns(source.idTypeMapping),
  customFieldMapping: source.customFieldMapping.map(({ key, formula }) => ({ key, formula })),
});

export const tableSourceModel = fieldsModel<TableSource, Fields>(WORDS, toFields);

/** The type and noun of such a source, and the operation that updates it. */
type Kind = { type: "metric_source" | "qualifying_event"; noun: string; operationId: "updateMetricSource" | "updateQualifyingEvent" };

/** Mappings as texts, one for each. */
const toTexts = (fields: Fields) => ({
  ...fields,
  idTypeMapping: unitTexts(fields.idTypeMapping),
  customFieldMapping: fields.customFieldMapping.map(({ key, formula }) => `${key}: ${formula}`),
});

/** How drafts of one kind are saved and described. */
export function tableSourceDrafts({ type, noun, operationId }: Kind) {
  const difference = (id: string, before: Fields, after: Fields): DescribedEntity[] =>
    describeFields(WORDS, { type, noun, id }, toTexts(before), toTexts(after));
  return {
    /** The contract takes the query, the time column and the ID columns with every update. */
    toWriteRequests(draft: TableSourceDraft): BatchRequest[] {
      const { idTypeMapping, customFieldMapping, ...changed } = changedParts(tableSourceModel, draft);
      const { sql, timestampColumn } = draft.fields;
      const body: WritableSchema<"MetricSourceUpdate"> = {
        sql,
        timestampColumn,
        ...changed,
        idTypeMapping: toMapping(draft.fields.idTypeMapping),
        ...(customFieldMapping && { customFieldMapping: [...customFieldMapping] }),
      };
      if (tableSourceModel.countChanges(draft) === 0) return [];
      return [{ operationId, path: { name: draft.stored.entity.name }, body, ifMatch: draft.stored.etag }];
    },
    describeDraft: ({ stored: { entity }, fields }: TableSourceDraft) => difference(entity.name, toFields(entity), fields),
    describeVersions: (before: TableSource, after: TableSource) => difference(after.name, toFields(before), toFields(after)),
  };
}

/** The faults of the draft, each with its path in a request. */
export function faultsOfDraft({ fields }: Pick<TableSourceDraft, "fields">): Fault[] {
  return [
    ...(fields.sourceType === "query"
      ? empty("sql", fields.sql, "Enter the query that returns the rows.")
      : empty("tableName", fields.tableName, "Enter the name of the table.")),
    ...empty("timestampColumn", fields.timestampColumn, "Enter the column with the time of each row."),
    ...faultsOfUnits(fields.idTypeMapping),
    ...fields.customFieldMapping.flatMap(({ key, formula }, index) => [
      ...empty(`customFieldMapping[${index}].key`, key, "Enter a name."),
      ...empty(`customFieldMapping[${index}].formula`, formula, "Enter an SQL expression."),
    ]),
  ];
}
