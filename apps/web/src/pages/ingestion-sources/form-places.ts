// The faults of an ingestion source's form, with their places in it. Pure.
import type { WritableSchema } from "../../api.ts";
import type { Dataset } from "../../ingestion/ingestion-words.ts";
import type { PreviewRequest } from "../../sources/preview.tsx";
import type { Fault } from "../../targeting/types.ts";
import {
  COLUMNS_OF,
  type ColumnName,
  type Fields,
  type IngestionSourceDraft,
  OPTIONAL,
  toMapping,
  USER_ID,
} from "./ingestion-source-draft.ts";

type Listed = Pick<Fields, "units" | "metadata">;

/** The place in the form of a place in a request, which names the items of its mappings, where the form has rows. */
export function placeIn({ units, metadata }: Listed): (property: string) => string {
  const rowPlace = (list: string, index: number, otherwise: string) => (index === -1 ? otherwise : `${list}[${index}].column`);
  return (property) => {
    const [, list, name] = /^column_mapping\.(unit_id|ids|metadata)(?:\.(.*))?$/s.exec(property) ?? [];
    if (list === undefined) return property;
    if (list === "metadata")
      return rowPlace(
        "metadata",
        metadata.findIndex((one) => one.name === name),
        property,
      );
    const unit = list === "unit_id" ? USER_ID : name;
    return rowPlace(
      "idTypeMapping",
      units.findIndex((one) => one.unit === unit),
      "idTypeMapping",
    );
  };
}

const isFilled = (text: string): boolean => text.trim() !== "";

/** The request for a form. Incomplete rows are left out, so that a preview names the columns before they are chosen. */
export function previewRequest(
  dataset: Dataset,
  form: Pick<Fields, ColumnName | "sourceType" | "query" | "schema" | "table" | "units" | "metadata">,
): PreviewRequest<WritableSchema<"IngestionPreviewRequest">> {
  const { sourceType, query, schema, table } = form;
  const units = form.units.filter(({ unit, column }) => isFilled(unit) && isFilled(column));
  const metadata = form.metadata.filter(({ name, column }) => isFilled(name) && isFilled(column));
  return {
    body: {
      ...(sourceType === "query" ? { query } : { table, ...(isFilled(schema) && { schema }) }),
      column_mapping: toMapping(dataset, { ...form, units, metadata }),
    },
    toFormPlace: placeIn(form),
  };
}

const NEEDED: Record<Exclude<ColumnName, "event_value" | "metadata_object">, string> = {
  event_name: "Enter the column with the name of each event.",
  experiment: "Enter the column with the experiment.",
  group_id: "Enter the column with the group.",
  timestamp: "Enter the column with the time of each row.",
};

/** The faults of the draft, each with its place in the form. */
export function faultsOfDraft({ stored, fields }: Pick<IngestionSourceDraft, "stored" | "fields">): Fault[] {
  const error = (property: string, message: string): Fault => ({ property, message, level: "error" });
  const empty = (property: string, value: string, message: string) => (isFilled(value) ? [] : [error(property, message)]);
  const { sourceType, query, table, units, metadata } = fields;
  const isRepeated = (names: readonly string[], index: number) => isFilled(names[index] ?? "") && names.indexOf(names[index] ?? "") < index;
  const unitNames = units.map(({ unit }) => unit);
  const metadataNames = metadata.map(({ name }) => name);
  const needed = COLUMNS_OF[stored.entity.data.dataset].filter((name) => !OPTIONAL.includes(name)) as (keyof typeof NEEDED)[];
  return [
    ...(sourceType === "query"
      ? empty("query", query, "Enter the query that returns the rows.")
      : empty("table", table, "Enter the name of the table.")),
    ...needed.flatMap((name) => empty(`column_mapping.${name}`, fields[name], NEEDED[name])),
    ...(units.length === 0 ? [error("idTypeMapping", "Add a column with unit IDs.")] : []),
    ...units.flatMap(({ unit, column }, index) => [
      ...empty(`idTypeMapping[${index}].serviceUnitID`, unit, "Choose a unit ID type."),
      ...(isRepeated(unitNames, index)
        ? [error(`idTypeMapping[${index}].serviceUnitID`, "Another column already has this unit ID type.")]
        : []),
      ...empty(`idTypeMapping[${index}].column`, column, "Enter the column."),
    ]),
    ...metadata.flatMap(({ name, column }, index) => [
      ...empty(`metadata[${index}].name`, name, "Enter a name."),
      ...(isRepeated(metadataNames, index) ? [error(`metadata[${index}].name`, "Another column already has this name.")] : []),
      ...empty(`metadata[${index}].column`, column, "Enter the column."),
    ]),
  ];
}

/** The faults found by the page and the server's refusals, each with its place in the form. */
export const faultsInForm = (faults: readonly Fault[], form: Listed): Fault[] =>
  faults.map((fault) => ({ ...fault, property: placeIn(form)(fault.property) }));
