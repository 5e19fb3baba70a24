import { ColumnField } from "../../entity/column-field.tsx";
import type { Dataset } from "../../ingestion/ingestion-words.ts";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { COLUMNS_OF, type ColumnName, columnLabel, type Fields } from "./ingestion-source-draft.ts";

type Props = {
  fields: Fields;
  set: (changed: Partial<Fields>) => void;
  isDisabled: boolean;
  faultAt: (property: string) => string | undefined;
};

const KINDS = [
  { id: "query", label: "A query" },
  { id: "table", label: "A table" },
] as const;

/** The origin of the rows. */
export function OriginFields({ fields, set, isDisabled, faultAt }: Props) {
  const text = (name: "query" | "schema" | "table") => ({
    ...{ isCode: true, value: fields[name], error: faultAt(name), isDisabled },
    onChange: (value: string) => set({ [name]: value }),
  });
  return (
    <>
      <Select
        label="Rows come from"
        options={KINDS}
        value={fields.sourceType}
        onChange={(id) => set({ sourceType: id as Fields["sourceType"] })}
        isDisabled={isDisabled}
      />
      {fields.sourceType === "query" ? (
        <TextField label="Query" rows={6} description="SQL that returns one row per event." {...text("query")} />
      ) : (
        <>
          <TextField label="Schema" description="Leave empty to use the default of the warehouse connection." {...text("schema")} />
          <TextField label="Table" {...text("table")} />
        </>
      )}
    </>
  );
}

const ABOUT: Record<ColumnName, string> = {
  event_name: "The name of the event.",
  experiment: "The ID of the experiment.",
  group_id: "The ID of the group.",
  timestamp: "The time of the row: a timestamp, a date, or milliseconds since 1970. Without a time zone, UTC is used.",
  event_value: "Optional. The value of the event.",
  metadata_object: "Optional. A JSON object with metadata.",
};

/** The columns with the contents and time of each row. */
export function ColumnFields({
  dataset,
  columns,
  fields,
  set,
  isDisabled,
  faultAt,
}: Props & { dataset: Dataset; columns: readonly string[] }) {
  return COLUMNS_OF[dataset].map((name) => (
    <ColumnField
      key={name}
      label={columnLabel(name)}
      value={fields[name]}
      onChange={(text) => set({ [name]: text })}
      description={ABOUT[name]}
      error={faultAt(`column_mapping.${name}`)}
      columns={columns}
      isDisabled={isDisabled}
    />
  ));
}
