import { type ComponentProps, useId } from "react";
import { TextField } from "../ui/field.tsx";

type Props = Omit<ComponentProps<typeof TextField>, "isCode" | "list" | "rows"> & {
  /** The names of the columns, as far as a preview has found them. Any other may be typed. */
  columns: readonly string[];
};

/** The name of a column of the source. */
export function ColumnField({ columns, ...field }: Props) {
  const id = useId();
  const isKnown = columns.length > 0;
  return (
    <>
      <TextField {...field} isCode {...(isKnown && { list: id })} />
      {isKnown && (
        <datalist id={id}>
          {columns.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </>
  );
}
