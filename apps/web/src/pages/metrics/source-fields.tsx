import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import { useEntitySearch } from "../../entity/entity-choice.tsx";
import { ComboBox, Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { PART_AGGREGATIONS, type PartAggregation } from "./aggregations.ts";

/** The possible origins of rows. */
export const ROWS = [
  { id: "events", label: "Logged events" },
  { id: "source", label: "A metric source" },
];

type SourceProps = {
  value: string | undefined;
  onChange: (name: string) => void;
  error: string | undefined;
  isDisabled: boolean;
};

/** One of the project's metric sources, chosen by a search. */
export function SourceChoice({ value = "", ...field }: SourceProps) {
  const { onSearch, given } = useEntitySearch();
  const { data } = useQuery({ ...query("listMetricSources", given), placeholderData: (known) => known });
  const names = (data?.data ?? []).map(({ name }) => name);
  const options = [...(value === "" || names.includes(value) ? [] : [value]), ...names].map((id) => ({ id, label: id }));
  return (
    <ComboBox
      {...field}
      label="Metric source"
      options={options}
      value={value || null}
      onClear={() => field.onChange("")}
      onSearch={onSearch}
      placeholder="Search metric sources"
    />
  );
}

type ColumnProps = {
  value: string | undefined;
  onChange: (column: string | undefined) => void;
  error: string | undefined;
  isDisabled: boolean;
};

/** The column of a metric source that has the value. */
export function ColumnField({ value = "", onChange, ...field }: ColumnProps) {
  return <TextField {...field} label="Column with the value" isCode value={value} onChange={(text) => onChange(text || undefined)} />;
}

type PartProps = {
  value: PartAggregation | undefined;
  onChange: (aggregation: PartAggregation) => void;
  error: string | undefined;
  isDisabled: boolean;
};

const PARTS = Object.entries(PART_AGGREGATIONS).map(([id, words]) => ({ id, ...words }));

/** The aggregation of one part of a ratio. */
export function PartChoice({ value, onChange, ...field }: PartProps) {
  return <Select {...field} label="Definition" options={PARTS} value={value ?? null} onChange={(id) => onChange(id as PartAggregation)} />;
}
