import type { Text } from "@codemirror/state";
import styles from "./fault-list.module.css";
import { type Fault, hasPlace } from "./json5-tree.ts";

type FaultListProps = {
  faults: readonly Fault[];
  /** The text that the faults are of. */
  doc: Text;
  /** Moves the cursor to a fault. */
  onMove(fault: Fault): void;
};

/** The faults with their lines: a click moves the cursor there. */
export function FaultList({ faults, doc, onMove }: FaultListProps) {
  if (faults.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Problems in the text">
      {faults.map((fault) => (
        <li key={`${fault.from} ${fault.to} ${fault.message}`} className={styles.item}>
          <span className={fault.severity === "error" ? styles.error : styles.warning}>
            {fault.severity === "error" ? "Error" : "Note"}
          </span>
          {hasPlace(fault) ? (
            <button type="button" className={styles.place} onClick={() => onMove(fault)}>
              <span className={styles.line}>{placeText(doc, fault.from)}</span>
              <bdi>{fault.message}</bdi>
            </button>
          ) : (
            <bdi className={styles.message}>{fault.message}</bdi>
          )}
        </li>
      ))}
    </ul>
  );
}

function placeText(doc: Text, position: number): string {
  const line = doc.lineAt(Math.min(position, doc.length));
  return `Line ${line.number}`;
}
