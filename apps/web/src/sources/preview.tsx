import { Link, useParams } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { Schema } from "../api.ts";
import entity from "../entity/entity.module.css";
import { explainAnalysis, violationsByPlace } from "../explain.ts";
import { type Permission, useRefusal } from "../session/account.ts";
import type { Fault } from "../targeting/types.ts";
import { Button } from "../ui/button.tsx";
import { FoldedSql } from "../ui/copy.tsx";
import { Loading, Notice } from "../ui/notice.tsx";
import styles from "./preview.module.css";

type Rows = Schema<"MetricSourcePreview">;
type Answered = { preview: Rows; error?: undefined } | { preview?: undefined; error: unknown };

export type Previewing = {
  run: () => Promise<void>;
  isPending: boolean;
  /** The last answer of the warehouse, or its failure. */
  answered: Answered | undefined;
  /** Whether the form has changed since. */
  isOld: boolean;
  /** The faults of the form as it is, by place. */
  faults: readonly Fault[];
  /** The names of the columns that were found last. */
  columns: readonly string[];
};

/** A preview's request. */
export type PreviewRequest<Body> = {
  body: Body;
  /** The place in the form of a place in the body. */
  toFormPlace: (property: string) => string;
};

/** Runs the query of a form on the warehouse when it is asked to, saved or not. An edit discards the faults. @param ask the server */
export function usePreview<Body>({ body, toFormPlace }: PreviewRequest<Body>, ask: (body: Body) => Promise<{ data: Rows }>): Previewing {
  const now = JSON.stringify(body);
  const [last, setLast] = useState<{ of: string; answered: Answered }>();
  const [columns, setColumns] = useState<readonly string[]>([]);
  const [isPending, setPending] = useState(false);
  const isRunning = useRef(false);
  const run = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setPending(true);
    try {
      const { data: preview } = await ask(body);
      setLast({ of: now, answered: { preview } });
      if (preview.columns.length > 0) setColumns([...new Set(preview.columns.map(({ name }) => name))]);
    } catch (error) {
      setLast({ of: now, answered: { error } });
    } finally {
      isRunning.current = false;
      setPending(false);
    }
  };
  const isOld = last !== undefined && last.of !== now;
  const violations = isOld ? [] : [...violationsByPlace(last?.answered.error)];
  const faults = violations.map(([property, message]): Fault => ({ property: toFormPlace(property), message, level: "error" }));
  return { run, isPending, answered: last?.answered, isOld, faults, columns };
}

/** @param permission that a preview needs */
export function PreviewButton({ run, isPending, permission = "metric_management" }: Previewing & { permission?: Permission }) {
  return (
    <Button onPress={run} isPending={isPending} disabledReason={useRefusal()(permission)}>
      Preview
    </Button>
  );
}

/** The result of the last preview. */
export function PreviewResult({ isPending, answered, isOld, faults }: Previewing) {
  if (isPending) return <Loading label="Loading rows" />;
  if (answered === undefined) return null;
  const { preview, error } = answered;
  if (preview === undefined)
    return isOld ? null : (
      <Notice tone="bad">
        <span>{explainAnalysis(error)}</span>
        <ul>
          {faults.map(({ property, message }) => (
            <li key={property}>{message}</li>
          ))}
        </ul>
      </Notice>
    );
  if (preview.reason !== undefined) return <NothingRead reason={preview.reason} />;
  return (
    <>
      {isOld && <Notice>The form has changed. Preview again.</Notice>}
      <RowTable columns={preview.columns} rows={preview.rows} />
      {preview.sql !== undefined && <FoldedSql text={preview.sql} />}
    </>
  );
}

function NothingRead({ reason }: { reason: string }) {
  const { projectID } = useParams({ from: "/projects/$projectID" });
  return (
    <Notice
      tone="warn"
      title="Couldn’t read rows"
      actions={
        <Link to="/projects/$projectID/settings" params={{ projectID }} search={{ tab: "warehouse" }}>
          Open the warehouse
        </Link>
      }
    >
      {reason}
    </Notice>
  );
}

function RowTable({ columns, rows }: Pick<Rows, "columns" | "rows">) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={entity.scroll} tabIndex={0} aria-label="Previewed rows">
      <table className={styles.rows} aria-label="Rows of the source">
        <thead>
          <tr>
            {columns.map(({ name, type }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns can have one name.
              <th key={index} scope="col">
                <bdi>{name}</bdi>
                <code>{type}</code>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no ids, and are drawn as a whole.
            <tr key={place}>
              {row.map((value, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                <td key={index}>
                  <Value of={value} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p>No rows found.</p>}
    </section>
  );
}

/** Null and an empty text look different from each other, and from texts that say so. */
function Value({ of: value }: { of: string | null }) {
  if (value === null) return <em className={styles.nothing}>null</em>;
  if (value === "") return <em className={styles.nothing}>empty text</em>;
  return (
    <bdi className={styles.value} title={value}>
      {value}
    </bdi>
  );
}
