// Edits of a metric source that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import type { UnitColumn } from "../../entity/unit-columns.tsx";
import { changedParts, describeFields, type FieldsDraft, fieldsModel, type Stored } from "../../saving/draft-model.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";
import type { Fault } from "../../targeting/types.ts";

export type MetricSource = Schema<"MetricSource">;
export type StoredMetricSource = Stored<MetricSource>;

/** A field computed from the columns. */
export type ComputedField = { key: string; formula: string };

const OWN = ["description", "tags", "sql", "tableName", "sourceType", "timestampColumn", "timestampAsDay", "isVerified"] as const;
export type Fields = Pick<MetricSource, (typeof OWN)[number]> & {
  datePartitionColumn: string;
  idTypeMapping: readonly UnitColumn[];
  customFieldMapping: readonly ComputedField[];
};
export type MetricSourceDraft = FieldsDraft<MetricSource, Fields>;

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
  isVerified: { label: "Verified", as: "value" },
};

const fieldsOf = (source: MetricSource): Fields => ({
  ...(Object.fromEntries(OWN.map((name) => [name, source[name]])) as Pick<MetricSource, (typeof OWN)[number]>),
  datePartitionColumn: source.datePartitionColumn ?? "",
  idTypeMapping: source.idTypeMapping.map(({ serviceUnitID, column }) => ({ unit: serviceUnitID, column })),
  customFieldMapping: source.customFieldMapping.map(({ key, formula }) => ({ key, formula })),
});

export const metricSourceModel = fieldsModel<MetricSource, Fields>(WORDS, fieldsOf);

const toMapping = (mapping: readonly UnitColumn[]) => mapping.map(({ unit, column }) => ({ serviceUnitID: unit, column }));

/** The contract takes the query, the time column and the ID columns with every update. */
export function writeOf(draft: MetricSourceDraft): BatchRequest[] {
  const { idTypeMapping, customFieldMapping, ...changed } = changedParts(metricSourceModel, draft);
  const { sql, timestampColumn } = draft.fields;
  const body: WritableSchema<"MetricSourceUpdate"> = {
    sql,
    timestampColumn,
    ...changed,
    idTypeMapping: toMapping(draft.fields.idTypeMapping),
    ...(customFieldMapping && { customFieldMapping: [...customFieldMapping] }),
  };
  if (metricSourceModel.countChanges(draft) === 0) return [];
  return [{ operationId: "updateMetricSource", path: { name: draft.stored.entity.name }, body, ifMatch: draft.stored.etag }];
}

/** Mappings as texts, one for each. */
const told = (fields: Fields) => ({
  ...fields,
  idTypeMapping: fields.idTypeMapping.map(({ unit, column }) => `${unit}: ${column}`),
  customFieldMapping: fields.customFieldMapping.map(({ key, formula }) => `${key}: ${formula}`),
});

const difference = (id: string, before: Fields, after: Fields): DescribedEntity[] =>
  describeFields(WORDS, { type: "metric_source", noun: "Metric source", id }, told(before), told(after));

export const describeDraft = ({ stored: { entity }, fields }: MetricSourceDraft) => difference(entity.name, fieldsOf(entity), fields);

export const describeVersions = (before: MetricSource, after: MetricSource) => difference(after.name, fieldsOf(before), fieldsOf(after));

/** What is wrong with the draft, each with its path in a request. */
export function faultsOfDraft({ fields }: Pick<MetricSourceDraft, "fields">): Fault[] {
  const error = (property: string, message: string): Fault => ({ property, message, level: "error" });
  const empty = (property: string, value: string, message: string) => (value.trim() === "" ? [error(property, message)] : []);
  const units = fields.idTypeMapping.map(({ unit }) => unit);
  return [
    ...(fields.sourceType === "query"
      ? empty("sql", fields.sql, "Enter the query that returns the rows.")
      : empty("tableName", fields.tableName, "Enter the name of the table.")),
    ...empty("timestampColumn", fields.timestampColumn, "Enter the column with the time of each row."),
    ...(units.length === 0 ? [error("idTypeMapping", "Rows belong to units: add the column with their ids.")] : []),
    ...fields.idTypeMapping.flatMap(({ unit, column }, index) => [
      ...empty(`idTypeMapping[${index}].serviceUnitID`, unit, "Choose a unit ID type."),
      ...(unit !== "" && units.indexOf(unit) < index
        ? [error(`idTypeMapping[${index}].serviceUnitID`, "Another column has these ids already.")]
        : []),
      ...empty(`idTypeMapping[${index}].column`, column, "Enter the column."),
    ]),
    ...fields.customFieldMapping.flatMap(({ key, formula }, index) => [
      ...empty(`customFieldMapping[${index}].key`, key, "Enter a name."),
      ...empty(`customFieldMapping[${index}].formula`, formula, "Enter an SQL expression."),
    ]),
  ];
}
