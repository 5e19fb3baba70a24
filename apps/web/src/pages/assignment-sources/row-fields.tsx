import { ColumnField } from "../../entity/column-field.tsx";
import { TextField } from "../../ui/field.tsx";
import type { Fields } from "./assignment-source-draft.ts";

type Props = {
  fields: Fields;
  set: (changed: Partial<Fields>) => void;
  isDisabled: boolean;
  faultAt: (property: string) => string | undefined;
  /** The names of the columns, as far as a preview has found them. */
  columns: readonly string[];
};

const COLUMNS = [
  ["timestampColumn", "Time column", "Time of assignment. The earliest row of a unit counts."],
  ["experimentIDColumn", "Experiment column", "The experiment’s ID, or its name in the source."],
  ["groupIDColumn", "Group column", "The ID of the group."],
  ["groupNameColumn", "Group name column", "Optional. Used where the group column has no known ID."],
] as const;

/** The origin of the assignments, and the columns with their time and their experiment and group. */
export function RowFields({ fields, set, isDisabled, faultAt, columns }: Props) {
  return (
    <>
      <TextField
        label="Query"
        rows={6}
        isCode
        value={fields.sql}
        onChange={(sql) => set({ sql })}
        description="SQL that returns one row per assignment of a unit to a group."
        error={faultAt("sql")}
        isDisabled={isDisabled}
      />
      {COLUMNS.map(([name, label, description]) => (
        <ColumnField
          key={name}
          label={label}
          columns={columns}
          value={fields[name]}
          onChange={(text) => set({ [name]: text })}
          description={description}
          error={faultAt(name)}
          isDisabled={isDisabled}
        />
      ))}
    </>
  );
}
