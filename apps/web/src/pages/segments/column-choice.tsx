import { Select } from "../../ui/choice.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { countColumns, type IDColumn, type IDTable, previewIDs } from "./id-table.ts";
import styles from "./segments.module.css";

/** Rows and IDs that a preview shows. */
const PREVIEWED = 5;
const EVERY = "every";

/** The chosen column of a table: its position, or every column; null without a choice. */
export type Choice = { column: string | null; hasHeader: boolean };

/** The choice before a person makes one. */
export function firstChoice(table: IDTable | undefined): Choice {
  return { column: table && countColumns(table) === 1 ? "0" : null, hasHeader: table?.hasHeader ?? false };
}

/** The fields that a choice takes as IDs. Undefined as long as no column is chosen. */
export function chosenColumn({ separator }: IDTable, { column, hasHeader }: Choice): IDColumn | undefined {
  return column === null ? undefined : { separator, index: column === EVERY ? null : Number(column), skipsFirst: hasHeader };
}

type Props = { table: IDTable; choice: Choice; onChange: (choice: Choice) => void };

/** Asks which column of a table has the ids, and shows the first of them. */
export function ColumnChoice({ table, choice, onChange }: Props) {
  const { records } = table;
  const [first = []] = records;
  const { column, hasHeader } = choice;
  const name = (index: number) => (hasHeader && first[index]) || `Column ${index + 1}`;
  const rows = records.slice(hasHeader ? 1 : 0);
  const options = [
    ...first.map((_, index) => ({ id: `${index}`, label: name(index), hint: rows[0]?.[index] ?? "" })),
    { id: EVERY, label: "Every column", hint: "all values are IDs" },
  ];
  const chosen = chosenColumn(table, choice);
  return (
    <>
      {countColumns(table) > 1 && (
        <Select
          label="Column with the IDs"
          options={options}
          value={column}
          onChange={(id) => onChange({ ...choice, column: id })}
          description={`Found a table with ${first.length} columns.`}
        />
      )}
      <Checkbox isSelected={hasHeader} onChange={(isSelected) => onChange({ ...choice, hasHeader: isSelected })}>
        The first line has column names
      </Checkbox>
      {chosen && (
        <section aria-label="Preview">
          <p>First IDs:</p>
          <ul className={styles.preview}>
            {previewIDs(table, chosen, PREVIEWED).map((id, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an id can occur twice.
              <li key={`${id} ${index}`}>
                <bdi>{id}</bdi>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
