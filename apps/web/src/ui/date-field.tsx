import { type ComponentProps, useState } from "react";
import { TextField } from "./field.tsx";
import { useUnread } from "./unread.ts";

type Props = Omit<ComponentProps<typeof TextField>, "type" | "value" | "onChange" | "rows" | "list" | "unit"> & {
  /** `2026-12-31`, or `2026-12-31T23:59` with a time. Empty for none. */
  value: string;
  onChange: (value: string) => void;
  hasTime?: boolean;
  /** Whether it may be emptied. */
  isOptional?: boolean;
};

/** A day, or a day with a time, in the notation of the reader's browser. One that is not complete is refused, and keeps the page from saving. */
export function DateField({ value, onChange, hasTime = false, isOptional = false, error, ...props }: Props) {
  const [isIncomplete, setIncomplete] = useState(false);
  const [typed, setTyped] = useState(value);
  const isEmptied = !isOptional && typed === "" && value !== "";
  const fault = isIncomplete || isEmptied ? (hasTime ? "Enter a date and time." : "Enter a date.") : undefined;
  useUnread(props.label, fault);
  return (
    <TextField
      {...props}
      type={hasTime ? "datetime-local" : "date"}
      value={fault === undefined ? value : typed}
      onInput={(event) => {
        const { validity, value: given } = event.target as HTMLInputElement;
        setIncomplete(validity.badInput);
        setTyped(given);
        if (!validity.badInput && (given !== "" || isOptional)) onChange(given);
      }}
      onChange={setTyped}
      error={fault ?? error}
    />
  );
}
