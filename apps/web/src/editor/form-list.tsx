import { useRef } from "react";
import { Control, TextButton } from "./form-controls.tsx";
import type { Scalar } from "./form-edits.ts";
import type { Field } from "./form-fields.ts";
import styles from "./form-view.module.css";

/** The edits of a list. Indexes are from 0. */
export type ListEdits = {
  onSet(index: number, value: Scalar): void;
  onAdd(value: Scalar): void;
  onRemove(index: number): void;
  onSwap(index: number, other: number): void;
};

type Props = {
  field: Extract<Field, { kind: "list" }>;
  edits: ListEdits;
  describedBy: string | undefined;
  onEditText: (() => void) | undefined;
};

/** A stable key for each item, so that an invalid value typed in its control moves with the item. */
function useItemKeys(count: number) {
  const { current: known } = useRef({ keys: [] as number[], next: 0 });
  while (known.keys.length < count) known.keys.push(known.next++);
  known.keys.length = count;
  return {
    of: (index: number) => known.keys[index],
    swap(index: number, other: number) {
      [known.keys[index], known.keys[other]] = [known.keys[other] as number, known.keys[index] as number];
    },
    remove: (index: number) => known.keys.splice(index, 1),
  };
}

/** A list, whose items are changed, moved, removed and added. Objects and lists in it are edited in the text. */
export function FormList({ field: { key, items = [], newItem }, edits, describedBy, onEditText }: Props) {
  const last = items.length - 1;
  const keys = useItemKeys(items.length);
  return (
    <fieldset aria-label={key} aria-describedby={describedBy} className={styles.list}>
      {items.map((item, index) => {
        const name = `${key}, item ${index + 1}`;
        return (
          <div key={keys.of(index)} className={styles.item}>
            <Control
              field={{ ...item, key: name }}
              control={{ "aria-label": name, "aria-required": true }}
              onSet={(value) => edits.onSet(index, value)}
              onRemove={() => edits.onRemove(index)}
              onEditText={onEditText}
            />
            <button
              type="button"
              className={styles.button}
              aria-label={`Move up: ${name}`}
              disabled={index === 0}
              onClick={() => {
                keys.swap(index, index - 1);
                edits.onSwap(index, index - 1);
              }}
            >
              ↑
            </button>
            <button
              type="button"
              className={styles.button}
              aria-label={`Move down: ${name}`}
              disabled={index === last}
              onClick={() => {
                keys.swap(index, index + 1);
                edits.onSwap(index, index + 1);
              }}
            >
              ↓
            </button>
            <button
              type="button"
              className={styles.button}
              aria-label={`Remove ${name}`}
              onClick={() => {
                keys.remove(index);
                edits.onRemove(index);
              }}
            >
              Remove
            </button>
          </div>
        );
      })}
      {newItem === undefined ? (
        <span className={styles.nested}>
          {items.length === 0 && "an empty list"}
          {onEditText && <TextButton onClick={onEditText} of={key} />}
        </span>
      ) : (
        <button type="button" className={styles.button} aria-label={`Add item to ${key}`} onClick={() => edits.onAdd(newItem)}>
          Add item
        </button>
      )}
    </fieldset>
  );
}
