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
  ["timestampColumn", "Time column", "When the unit was assigned. The first time of a unit counts."],
  ["experimentIDColumn", "Experiment column", "It has the id of the experiment, or the name that the experiment gives."],
  ["groupIDColumn", "Group column", "It has the id of a group of the experiment."],
  ["groupNameColumn", "Group name column", "If there is one: it tells the group where the other column has no id of one."],
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
        description="SQL that returns a row for each time that a unit was assigned to a group."
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
