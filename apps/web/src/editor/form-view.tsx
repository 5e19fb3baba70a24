import { useEffect, useId, useMemo } from "react";
import { AddParameter } from "./form-add.tsx";
import { Control, TextButton } from "./form-controls.tsx";
import {
  type Scalar,
  withField,
  withItem,
  withNestedField,
  withNewItem,
  withoutField,
  withoutItem,
  withSwappedItems,
} from "./form-edits.ts";
import { type Field, faultsByField, parseForm } from "./form-fields.ts";
import { FormList, type ListEdits } from "./form-list.tsx";
import styles from "./form-view.module.css";
import type { Fault } from "./json5-tree.ts";
import { schemaValue } from "./schema-text.ts";
import { UNCHECKED, useFaults } from "./use-faults.ts";

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
  /** Receives the faults of the text after each check. */
  onFaults?: (faults: readonly Fault[]) => void;
};

/** The object of a text as a form. Each change is one of the text and keeps its comments. */
export default function FormView({ value, onChange, label, schema = null, isReadOnly = false, onEditText, onFaults }: FormViewProps) {
  const schemaOfForm = useMemo(() => schemaValue(schema), [schema]);
  const form = useMemo(() => parseForm(value, schemaOfForm), [value, schemaOfForm]);
  const faults = useFaults(value, schema);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each check is reported once.
  useEffect(() => {
    if (faults !== UNCHECKED) onFaults?.(faults);
  }, [faults]);
  const { byKey, others } = useMemo(() => faultsByField(value, faults), [value, faults]);
  if (form.fields === undefined) {
    return (
      <p className={styles.none}>
        {form.why}
        {onEditText && <TextButton onClick={onEditText} />}
      </p>
    );
  }
  const shown = new Set(form.fields.map(({ key }) => key));
  const apart = [...others, ...[...byKey].filter(([key]) => !shown.has(key)).flatMap(([, own]) => own)];
  return (
    <fieldset className={styles.form} disabled={isReadOnly}>
      <legend className={styles.hidden}>{label}</legend>
      {form.fields.length === 0 && (
        <p className={styles.none}>The object is empty{schema === null ? "." : ", and its schema lists no keys."}</p>
      )}
      {form.fields.map((field) => (
        <FieldRow
          key={field.key}
          field={field}
          messages={(byKey.get(field.key) ?? []).map(({ message }) => message)}
          onSet={(next) => onChange(withField(value, field.key, next))}
          onRemove={() => onChange(withoutField(value, field.key))}
          list={{
            onSet: (index, next) => onChange(withItem(value, field.key, index, next)),
            onAdd: (next) => onChange(withNewItem(value, field.key, next)),
            onRemove: (index) => onChange(withoutItem(value, field.key, index)),
            onSwap: (index, other) => onChange(withSwappedItems(value, field.key, index, other)),
          }}
          onNest={(key, next) => onChange(withNestedField(value, field.key, key, next))}
          onEditText={onEditText}
        />
      ))}
      {form.isExtensible && (
        <div>
          <AddParameter taken={shown} onAdd={(key, next) => onChange(withField(value, key, next))} />
        </div>
      )}
      {apart.map(({ message }) => (
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
  list: ListEdits;
  /** Adds a key to the field's value, an empty object. */
  onNest(key: string, value: Scalar): void;
  onEditText: (() => void) | undefined;
};

function FieldRow({ field, messages, onSet, onRemove, list, onNest, onEditText }: RowProps) {
  const id = useId();
  const describedBy = [field.description && `${id}-about`, messages.length > 0 && `${id}-faults`].filter(Boolean).join(" ") || undefined;
  const isSet = isFieldSet(field);
  const removeLabel = field.kind === "list" ? "Remove list" : "Remove";
  const isOneControl = field.kind !== "nested" && field.kind !== "list";
  const control = {
    id,
    "aria-describedby": describedBy,
    "aria-invalid": messages.length > 0 || undefined,
    "aria-required": field.isRequired,
  };
  return (
    <div className={styles.row}>
      <label className={styles.label} htmlFor={isOneControl ? id : undefined}>
        <bdi>{field.key}</bdi>
        {field.isRequired && <span className={styles.required}>required</span>}
      </label>
      <div className={styles.control}>
        {field.kind === "list" ? (
          <FormList field={field} edits={list} describedBy={describedBy} onEditText={onEditText} />
        ) : (
          <Control field={field} control={control} onSet={onSet} onRemove={onRemove} onEditText={onEditText} />
        )}
        {field.kind === "nested" && field.isExtensible && <AddParameter of={field.key} taken={NONE} onAdd={onNest} />}
        {isSet && !field.isRequired && (
          <button type="button" className={styles.button} aria-label={`${removeLabel} ${field.key}`} onClick={onRemove}>
            {removeLabel}
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

const NONE: ReadonlySet<string> = new Set();

function isFieldSet(field: Field): boolean {
  if (field.kind === "list") return field.items !== undefined;
  return field.kind === "nested" ? field.summary !== "not set" : field.value !== undefined;
}
