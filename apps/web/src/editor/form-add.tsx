import { type SyntheticEvent, useId, useState } from "react";
import { Control } from "./form-controls.tsx";
import type { Scalar } from "./form-edits.ts";
import styles from "./form-view.module.css";

const TYPES = { text: "Text", number: "Number", boolean: "True or false" } as const;
type Type = keyof typeof TYPES;
const FIRST: Readonly<Record<Type, Scalar>> = { text: "", number: 0, boolean: false };

type Props = {
  /** The key of the object, if it is not the form's own. */
  of?: string;
  /** The keys that the object has. */
  taken: ReadonlySet<string>;
  onAdd(key: string, value: Scalar): void;
};

/** Adds a key to an object, with its first value. */
export function AddParameter({ of, taken, onAdd }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const [key, setKey] = useState("");
  const [type, setType] = useState<Type>("text");
  const [value, setValue] = useState<Scalar>(FIRST.text);
  const place = of === undefined ? "" : ` in ${of}`;
  const isTaken = taken.has(key);
  const close = () => {
    setOpen(false);
    setKey("");
    setType("text");
    setValue(FIRST.text);
  };
  if (!isOpen) {
    return (
      <button
        type="button"
        className={styles.button}
        aria-label={of === undefined ? undefined : `Add parameter to ${of}`}
        onClick={() => setOpen(true)}
      >
        Add parameter
      </button>
    );
  }
  const add = (event: SyntheticEvent) => {
    event.preventDefault();
    if (key === "" || isTaken) return;
    onAdd(key, value);
    close();
  };
  return (
    <fieldset
      className={styles.addition}
      aria-label={`New parameter${place}`}
      // On a button, Enter presses it.
      onKeyDown={(event) => event.key === "Enter" && event.target instanceof HTMLInputElement && add(event)}
    >
      <input
        className={styles.input}
        type="text"
        value={key}
        placeholder="Name"
        aria-label={`Name of the new parameter${place}`}
        aria-invalid={isTaken || undefined}
        aria-describedby={isTaken ? `${id}-fault` : undefined}
        // biome-ignore lint/a11y/noAutofocus: the reader just asked for the field.
        autoFocus
        onChange={(event) => setKey(event.target.value)}
      />
      <select
        className={styles.input}
        aria-label={`Type of the new parameter${place}`}
        value={type}
        onChange={(event) => {
          const chosen = event.target.value as Type;
          setType(chosen);
          setValue(FIRST[chosen]);
        }}
      >
        {Object.entries(TYPES).map(([id, label]) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      <Control
        key={type}
        field={{ kind: type, key: `Value of the new parameter${place}`, value } as Parameters<typeof Control>[0]["field"]}
        control={{ "aria-label": `Value of the new parameter${place}`, "aria-required": true }}
        onSet={setValue}
        onRemove={() => setValue(FIRST[type])}
        onEditText={undefined}
      />
      <button type="button" className={styles.button} disabled={key === "" || isTaken} onClick={add}>
        Add
      </button>
      <button type="button" className={styles.button} onClick={close}>
        Cancel
      </button>
      {isTaken && (
        <span className={styles.fault} id={`${id}-fault`} role="status">
          A parameter with this name already exists.
        </span>
      )}
    </fieldset>
  );
}
