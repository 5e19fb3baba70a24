import { useId, useMemo, useState } from "react";
import { READER_LOCALE } from "../ui/locale.ts";
import { numberFault, numberText, parseNumber } from "../ui/parse-number.ts";
import { useUnread } from "../ui/unread.ts";
import { type Scalar, withField, withoutField } from "./form-edits.ts";
import { type Field, faultsByField, parseForm } from "./form-fields.ts";
import styles from "./form-view.module.css";
import { schemaValue } from "./schema-text.ts";
import { useFaults } from "./use-faults.ts";

export type FormViewProps = {
  /** The text of JSON5, an object. */
  value: string;
  onChange: (value: string) => void;
  /** Name of the text: "Default value". */
  label: string;
  /** A JSON Schema, as a value or as a text of JSON or JSON5. */
  schema?: string | object | boolean | null;
  isReadOnly?: boolean;
  /** Leads to the text, where nested values are edited. */
  onEditText?: () => void;
};

/** The object of a text as a form. Each change is one of the text and keeps its comments. */
export default function FormView({ value, onChange, label, schema = null, isReadOnly = false, onEditText }: FormViewProps) {
  const schemaOfForm = useMemo(() => schemaValue(schema), [schema]);
  const form = useMemo(() => parseForm(value, schemaOfForm), [value, schemaOfForm]);
  const faults = useFaults(value, schema);
  const { byKey, others } = useMemo(() => faultsByField(value, faults), [value, faults]);
  if (form.fields === undefined) {
    return (
      <p className={styles.none}>
        {form.why}
        {onEditText && <TextButton onClick={onEditText} />}
      </p>
    );
  }
  return (
    <fieldset className={styles.form} disabled={isReadOnly}>
      <legend className={styles.hidden}>{label}</legend>
      {form.fields.length === 0 && <p className={styles.none}>The object is empty, and its schema lists no keys.</p>}
      {form.fields.map((field) => (
        <FieldRow
          key={field.key}
          field={field}
          messages={(byKey.get(field.key) ?? []).map(({ message }) => message)}
          onSet={(next) => onChange(withField(value, field.key, next))}
          onRemove={() => onChange(withoutField(value, field.key))}
          onEditText={onEditText}
        />
      ))}
      {others.map(({ message }) => (
        <p key={message} className={styles.fault}>
          {message}
        </p>
      ))}
    </fieldset>
  );
}

type RowProps = {
  field: Field;
  messages: readonly string[];
  onSet(value: Scalar): void;
  onRemove(): void;
  onEditText: (() => void) | undefined;
};

function FieldRow({ field, messages, onSet, onRemove, onEditText }: RowProps) {
  const id = useId();
  const describedBy = [field.description && `${id}-about`, messages.length > 0 && `${id}-faults`].filter(Boolean).join(" ") || undefined;
  const isSet = field.kind === "nested" ? field.summary !== "not set" : field.value !== undefined;
  const control = {
    id,
    "aria-describedby": describedBy,
    "aria-invalid": messages.length > 0 || undefined,
    "aria-required": field.isRequired,
  };
  return (
    <div className={styles.row}>
      <label className={styles.label} htmlFor={field.kind === "nested" ? undefined : id}>
        <bdi>{field.key}</bdi>
        {field.isRequired && <span className={styles.required}>required</span>}
      </label>
      <div className={styles.control}>
        <Control field={field} control={control} onSet={onSet} onRemove={onRemove} onEditText={onEditText} />
        {isSet && !field.isRequired && (
          <button type="button" className={styles.button} aria-label={`Remove ${field.key}`} onClick={onRemove}>
            Remove
          </button>
        )}
      </div>
      {field.description && (
        <p className={styles.about} id={`${id}-about`}>
          {field.description}
        </p>
      )}
      {messages.length > 0 && (
        <p className={styles.fault} id={`${id}-faults`}>
          {messages.join(" ")}
        </p>
      )}
    </div>
  );
}

type ControlProps = Omit<RowProps, "messages"> & {
  control: { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined; "aria-required": boolean };
};

function Control({ field, control, onSet, onRemove, onEditText }: ControlProps) {
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

type NumberProps = Pick<ControlProps, "control"> & { label: string; value: number | null | undefined; onSet(value: number): void };

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
        value={typed ?? (value === undefined || value === null ? "" : numberText(value, READER_LOCALE))}
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

function TextButton({ onClick, of }: { onClick(): void; of?: string }) {
  return (
    <button type="button" className={styles.button} aria-label={of && `Edit ${of} in the text`} onClick={onClick}>
      Edit in the text
    </button>
  );
}
