import { type ReactNode, useRef, useState } from "react";
import styles from "./charts.module.css";
import { PictureButton } from "./picture-button.tsx";

type Table = { columns: readonly string[]; rows: readonly (readonly string[])[] };

type FigureProps = {
  title: string;
  /** Unit of the axis, beside the title. */
  unit?: string;
  /** The picture in a sentence, for screen readers. */
  summary?: string;
  /** Shown instead of the picture if it would be empty. */
  empty?: string;
  /** The same numbers as a table that all readers can open. */
  table?: () => Table;
  children: ReactNode;
};

/** The frame of every chart: its title and unit, the picture or a text instead, and its numbers as a table or its picture as a file. */
export function Figure({ title, unit, summary, empty, table, children }: FigureProps) {
  const figure = useRef<HTMLElement>(null);
  return (
    <figure className={styles.figure} ref={figure}>
      <figcaption className={styles.caption}>
        <bdi className={styles.title}>{title}</bdi>
        {unit !== undefined && <span className={styles.unit}>{unit}</span>}
        {summary !== undefined && empty === undefined && <span className={styles.hidden}>{summary}</span>}
      </figcaption>
      {empty === undefined ? children : <p className={styles.empty}>{empty}</p>}
      {empty === undefined && table !== undefined && (
        <div className={styles.tools} data-picture="none">
          <FigureTable title={title} table={table} />
          <PictureButton look="quiet" of={figure} name={title} label={`Download PNG of ${title}`} />
        </div>
      )}
    </figure>
  );
}

function FigureTable({ title, table }: { title: string; table: () => Table }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.table} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show as a table</summary>
      {isOpen && <Rows title={title} {...table()} />}
    </details>
  );
}

function Rows({ title, columns, rows }: Table & { title: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={styles.scroll} aria-label={`${title}, as a table`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name and never move.
              <th key={index} scope="col" title={column}>
                <bdi>{column}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity and never move.
            <tr key={row}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              {cells.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as the columns.
                <td key={index}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
