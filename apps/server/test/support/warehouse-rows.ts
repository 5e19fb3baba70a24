import { isActivity, type PercentilePlan, type Plan, type Source, type Term } from "../../src/results/plans/plan.ts";
import type { SourceTable } from "../../src/results/sql/source-query.ts";
import type { Logged } from "./reference-events.ts";
import type { ResultsEngine } from "./results-engine.ts";

/** The type of a column with times on Postgres and on ClickHouse. */
export const DATE_TIME = ["timestamp with time zone", "DateTime64(3, 'UTC')"] as const;

/** Stores rows of a warehouse on an engine that is opened later. */
export function rowsOn(getEngine: () => ResultsEngine) {
  const isPostgres = () => getEngine().dialect.settings.final === undefined;
  const quoted = (text: unknown) => (text === undefined || text === null ? "null" : getEngine().dialect.literal(String(text)));

  /** A table of a warehouse. @param columns their names and types @param rows values as SQL */
  async function storeTable(table: string, columns: string, rows: readonly (readonly string[])[]): Promise<void> {
    await getEngine().command(`create table ${table} (${columns})${isPostgres() ? "" : " engine = MergeTree order by tuple()"}`);
    await getEngine().command(`insert into ${table} values ${rows.map((row) => `(${row.join(", ")})`).join(", ")}`);
  }

  return {
    isPostgres,
    quoted,
    pickType: ([onPostgres, onClickHouse]: readonly [string, string]) => (isPostgres() ? onPostgres : onClickHouse),
    iso: (time: number) => `'${new Date(time).toISOString().slice(0, -1).replace("T", " ")}${isPostgres() ? "Z" : ""}'`,

    storeTable,

    /** A table of a warehouse with the rows of events, whose times have the type. */
    async storeRows(table: string, type: string, formatTime: (time: number) => string, events: readonly Logged[]): Promise<void> {
      const text = isPostgres() ? "text" : "Nullable(String)";
      const rows = events.map(({ unit, name, time, value, metadata }) => [
        ...[quoted(name), quoted(unit), formatTime(time), quoted(value), quoted(metadata.item), quoted(metadata.items)],
      ]);
      await storeTable(table, `kind ${text}, visitor ${text}, at ${type}, amount ${text}, item ${text}, items ${text}`, rows);
    },
  };
}

export const buildSource = (name: string, table: string, timestampType: string, rest: Partial<SourceTable> = {}): SourceTable => ({
  ...{ name, query: `select * from ${table} where kind = '${name}' -- a comment`, timestampColumn: "at", timestampType },
  ...{ isDaily: false, unitColumn: "visitor", formulas: new Map() },
  ...rest,
});

const ALIKE: Record<string, string> = { value: "amount" };

/** The plan over rows, which have columns instead of a value. */
export function overRows<P extends Plan | PercentilePlan>(plan: P): P {
  const text = JSON.stringify(plan, (_key, part) => {
    if (part?.of === "value") return { of: "metadata", key: "amount" };
    return part?.type === "value" ? { ...part, type: "metadata", column: ALIKE.value } : part;
  });
  return JSON.parse(text);
}

/** No two rows have the same time: they have no order beside that. */
export const asRows = (events: readonly Logged[]) =>
  events.map((event, index) => ({ ...event, time: event.time + index, metadata: { ...event.metadata, amount: event.value } }));

/** Whether a plan works on rows, which lack users and have only the columns that their sources select. */
export function isOfRows({ numerator, denominator }: Plan): boolean {
  const terms: readonly Term[] = [...numerator.terms, ...(denominator?.terms ?? [])];
  const ofUsers = (source: Source) =>
    isActivity(source) || ("criteria" in source && source.criteria.some(({ type }) => type === "user" || type === "user_custom"));
  return !terms.some(({ sources }) => sources.some(ofUsers));
}
