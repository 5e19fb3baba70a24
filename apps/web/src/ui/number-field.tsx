import { type ComponentProps, useState } from "react";
import { TextField } from "./field.tsx";
import { READER_LOCALE } from "./locale.ts";
import { type NumberLimits, numberFault, numberText, parseNumber } from "./parse-number.ts";
import { useUnread } from "./unread.ts";

type Props = Pick<
  ComponentProps<typeof TextField>,
  "label" | "isLabelHidden" | "description" | "error" | "isDisabled" | "unit" | "placeholder" | "name"
> &
  NumberLimits & {
    /** NaN if empty. */
    value: number;
    /** Gets each number that is within the limits, and NaN once an optional field is emptied. */
    onChange: (value: number) => void;
  };

/** A number in the reader's notation. Typed text stays as it is. Text that is not a number within the limits is refused, and keeps the page from saving. */
export function NumberField({ value, onChange, minValue, maxValue, step, decimals, isOptional, error, unit = "", ...props }: Props) {
  const limits = { minValue, maxValue, step, decimals, isOptional };
  const [typed, setTyped] = useState({ text: numberText(value, READER_LOCALE), number: value });
  // Another value than the one that was typed comes from elsewhere: from a discarded draft, or from another person.
  const text = Object.is(typed.number, value) ? typed.text : numberText(value, READER_LOCALE);
  const fault =
    text === "" && typed.text === "" && Number.isNaN(value) && isOptional ? undefined : numberFault(text, limits, READER_LOCALE);
  useUnread(props.label, fault);
  const change = (given: string) => {
    const isTaken = numberFault(given, limits, READER_LOCALE) === undefined;
    const number = isTaken ? (parseNumber(given, READER_LOCALE) ?? Number.NaN) : value;
    setTyped({ text: given, number });
    if (isTaken) onChange(number);
  };
  const stepBy: ComponentProps<typeof TextField>["onKeyDown"] = (event) => {
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") {
      // Shortcuts of the page come through.
      event.continuePropagation();
      return;
    }
    event.preventDefault();
    const next = (Number.isNaN(value) ? (minValue ?? 0) : value) + (event.key === "ArrowUp" ? 1 : -1) * (step ?? 1);
    const rounded = Number(next.toPrecision(12));
    if (rounded >= (minValue ?? rounded) && rounded <= (maxValue ?? rounded)) change(numberText(rounded, READER_LOCALE));
  };
  return <TextField {...props} inputMode="decimal" unit={unit} value={text} onChange={change} onKeyDown={stepBy} error={fault ?? error} />;
}
