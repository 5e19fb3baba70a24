import { useState } from "react";
import { READER_LOCALE } from "../ui/locale.ts";
import { numberFault, numberText, parseNumber } from "../ui/parse-number.ts";
import { useUnread } from "../ui/unread.ts";
import type { Scalar } from "./form-edits.ts";
import type { Item } from "./form-fields.ts";
import styles from "./form-view.module.css";

/** What tells a control's name and state: by the id of its label, or by a name of its own. */
type Naming = {
  id?: string;
  "aria-label"?: string;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: true | undefined;
  "aria-required": boolean;
};

type ControlProps = {
  field: { key: string } & Item;
  control: Naming;
  onSet(value: Scalar): void;
  onRemove(): void;
  onEditText: (() => void) | undefined;
};

/** The control of a value that is not a list. */
export function Control({ field, control, onSet, onRemove, onEditText }: ControlProps) {
  switch (field.kind) {
    case "text":
      return (
        <input
          {...control}
          className={styles.input}
          type="text"
          value={field.value ?? ""}
          placeholder={placeholder(field.value)}
          onChange={(event) => onSet(event.target.value)}
        />
      );
    case "number":
      return <NumberInput control={control} label={field.key} value={field.value} onSet={onSet} />;
    case "boolean":
      return <Select control={control} value={field.value} choices={[true, false]} onSet={onSet} onRemove={onRemove} />;
    case "choice":
      return <Select control={control} value={field.value} choices={field.choices} onSet={onSet} onRemove={onRemove} />;
    default:
      return (
        <span className={styles.nested}>
          {field.summary}
          {onEditText && <TextButton onClick={onEditText} of={field.key} />}
        </span>
      );
  }
}

const placeholder = (value: unknown): string => (value === undefined ? "not set" : value === null ? "null" : "");

type NumberProps = Pick<ControlProps, "control"> & { label: string; value: Scalar | undefined; onSet(value: number): void };

/** A number in the reader's notation. Typed text that is not a number stays, and keeps the page from saving. */
function NumberInput({ control, label, value, onSet }: NumberProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const fault = typed === null ? undefined : numberFault(typed, {}, READER_LOCALE);
  useUnread(label, fault);
  return (
    <>
      <input
        {...control}
        aria-invalid={control["aria-invalid"] ?? (fault !== undefined || undefined)}
        className={styles.input}
        type="text"
        inputMode="decimal"
        value={typed ?? (typeof value === "number" ? numberText(value, READER_LOCALE) : String(value ?? ""))}
        placeholder={placeholder(value)}
        onChange={(event) => {
          setTyped(event.target.value);
          const number = parseNumber(event.target.value, READER_LOCALE);
          if (number !== undefined) onSet(number);
        }}
        onBlur={() => fault === undefined && setTyped(null)}
      />
      {fault !== undefined && (
        <span className={styles.fault} role="status">
          {fault}
        </span>
      )}
    </>
  );
}

type SelectProps = Pick<ControlProps, "control" | "onSet" | "onRemove"> & { value: Scalar | undefined; choices: readonly Scalar[] };

const NOT_SET = "";

function Select({ control, value, choices, onSet, onRemove }: SelectProps) {
  // A value that the schema does not permit is shown as it is.
  const all = value === undefined || choices.includes(value) ? choices : [value, ...choices];
  return (
    <select
      {...control}
      className={styles.input}
      value={value === undefined ? NOT_SET : JSON.stringify(value)}
      onChange={(event) => {
        const chosen = all.find((choice) => JSON.stringify(choice) === event.target.value);
        if (chosen === undefined) onRemove();
        else onSet(chosen);
      }}
    >
      {(value === undefined || !control["aria-required"]) && <option value={NOT_SET}>not set</option>}
      {all.map((choice) => (
        <option key={JSON.stringify(choice)} value={JSON.stringify(choice)}>
          {String(choice)}
        </option>
      ))}
    </select>
  );
}

/** Leads to the text. */
export function TextButton({ onClick, of }: { onClick(): void; of?: string }) {
  return (
    <button type="button" className={styles.button} aria-label={of && `Edit ${of} in the text`} onClick={onClick}>
      Edit in the text
    </button>
  );
}
