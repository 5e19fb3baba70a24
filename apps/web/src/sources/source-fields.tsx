import { Plus, Trash2 } from "lucide-react";
import { ColumnField } from "../entity/column-field.tsx";
import entity from "../entity/entity.module.css";
import { Section } from "../shell/page.tsx";
import type { Fault } from "../targeting/types.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { Checkbox, TextField } from "../ui/field.tsx";
import { faultFinder } from "./source-page.tsx";
import type { ComputedField, Fields } from "./table-source-draft.ts";

export type FieldProps = {
  fields: Fields;
  set: (changed: Partial<Fields>) => void;
  disabledReason: string | undefined;
  faults: readonly Fault[];
  /** The names of the columns, as far as a preview has found them. */
  columns: readonly string[];
};

const KINDS = [
  { id: "query", label: "A query" },
  { id: "table", label: "A table" },
] as const;

/** The origin of the rows, and the columns with their times and units. */
export function RowFields({ fields, set, disabledReason, faults, columns }: FieldProps) {
  const faultAt = faultFinder(faults);
  const isDisabled = disabledReason !== undefined;
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
        <TextField
          label="Query"
          rows={6}
          isCode
          value={fields.sql}
          onChange={(sql) => set({ sql })}
          description="SQL that returns one row per event."
          error={faultAt("sql")}
          isDisabled={isDisabled}
        />
      ) : (
        <>
          <TextField
            label="Table"
            isCode
            value={fields.tableName}
            onChange={(tableName) => set({ tableName })}
            error={faultAt("tableName")}
            isDisabled={isDisabled}
          />
          <ColumnField
            label="Partition column"
            value={fields.datePartitionColumn}
            onChange={(datePartitionColumn) => set({ datePartitionColumn })}
            description="Optional. The column that the table is partitioned by, one partition per day."
            columns={columns}
            isDisabled={isDisabled}
          />
        </>
      )}
      <ColumnField
        label="Time column"
        value={fields.timestampColumn}
        onChange={(timestampColumn) => set({ timestampColumn })}
        error={faultAt("timestampColumn")}
        columns={columns}
        isDisabled={isDisabled}
      />
      <Checkbox isSelected={fields.timestampAsDay} onChange={(timestampAsDay) => set({ timestampAsDay })} isDisabled={isDisabled}>
        The column has dates without a time
      </Checkbox>
    </>
  );
}

/** Fields computed from the columns. */
export function ComputedFields({ fields, set, disabledReason, faults }: FieldProps) {
  const faultAt = faultFinder(faults);
  const { customFieldMapping } = fields;
  const isDisabled = disabledReason !== undefined;
  const edit = (index: number, changed: Partial<ComputedField>) =>
    set({ customFieldMapping: customFieldMapping.map((one, at) => (at === index ? { ...one, ...changed } : one)) });
  return (
    <Section
      title="Computed fields"
      description="Extra fields for metrics, computed in SQL."
      actions={
        <Button
          onPress={() => set({ customFieldMapping: [...customFieldMapping, { key: "", formula: "" }] })}
          disabledReason={disabledReason}
        >
          <Plus aria-hidden="true" />
          Add field
        </Button>
      }
    >
      {customFieldMapping.map(({ key, formula }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone, since both its texts change.
        <fieldset key={index} className={entity.card} aria-label={`Computed field ${index + 1}`}>
          <div className={entity.row}>
            <TextField
              label="Name"
              isCode
              value={key}
              onChange={(text) => edit(index, { key: text })}
              error={faultAt(`customFieldMapping[${index}].key`)}
              isDisabled={isDisabled}
            />
            <TextField
              label="SQL expression"
              isCode
              value={formula}
              onChange={(text) => edit(index, { formula: text })}
              error={faultAt(`customFieldMapping[${index}].formula`)}
              isDisabled={isDisabled}
            />
            <IconButton
              label={`Remove computed field ${index + 1}`}
              onPress={() => set({ customFieldMapping: customFieldMapping.toSpliced(index, 1) })}
              disabledReason={disabledReason}
            >
              <Trash2 aria-hidden="true" />
            </IconButton>
          </div>
        </fieldset>
      ))}
    </Section>
  );
}
