import { setTimeout as sleep } from "node:timers/promises";
import { systemContext } from "../common/system-context.ts";
import { utcDay } from "../common/utc-day.ts";
import { readOutbox } from "../console/events/outbox-store.ts";
import {
  beginPass,
  completePass,
  copiedIdentities,
  failPass,
  finishStep,
  holdPass,
  type Pass,
  type Passed,
  rowsOfDays,
  type Step,
} from "../console/ingestion/ingested-day-store.ts";
import { toWaiting } from "../evaluation/events/event-batch.ts";
import { storeBatches } from "../evaluation/events/event-intake-store.ts";
import { createPartitions } from "../evaluation/events/event-partitions.ts";
import type { EventRow } from "../evaluation/events/logged-event.ts";
import { type CopiedRows, dayCounts, dayRows, type EqualRows } from "../results/sql/day-rows.ts";
import { lacksPartition, refusesEvents } from "../store/database/database-errors.ts";
import type { AnalysisOptions, Warehouse } from "../store/database/engines.ts";
import { writing } from "../store/database/unit-of-work.ts";
import { explainFailure, NO_WAREHOUSE_OF_SOURCE, NotComputable } from "../warehouse/source-tables.ts";
import { WarehouseFailure } from "../warehouse/warehouse.ts";
import { hashDefinition, queryOfRows, type ReadRow, readRow, type SourceRows, toCopiedRows } from "./ingested-events.ts";
import type { JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

/** This replica lost the pass: another one continues it, or the server stops. */
export class Left extends Error {}

type What = { projectID: string; source: { id: string; type: string; data: SourceRows } };

/** The most that one transaction copies: rows that differ, rows with their equals, and the characters of these. */
const STEP = { rows: 1_000, equal: 10_000, size: 32 * 2 ** 20 };
/** Beyond so many characters that ClickHouse has not taken yet, a pass waits. */
const MAX_UNDELIVERED = 64 * 2 ** 20;

/**
 * Copies the rows of a day that a source has and Gatehouse lacks. It compares all rows with those that were copied before, in the order of
 * their identities. The transaction that copies rows also stores the progress. So it may be interrupted and repeated, and two replicas
 * cannot copy the same row.
 * @param what with the day in UTC, counted from the epoch
 * @returns the outcome of its rows, and the number of rows that this copied
 * @throws NotComputable, WarehouseFailure if the pass cannot continue now, which is noted; Left
 */
export async function ingestDay(env: JobEnv, what: What & { day: number }, options: AnalysisOptions): Promise<Passed> {
  const { projectID, source, day } = what;
  const place = { projectID, source: source.id, day };
  const begun = await writing(env.database, (db) => beginPass(db, place, hashDefinition(source.type, source.data), env.now()));
  if ("reason" in begun) throw new NotComputable(begun.reason);
  try {
    const { warehouse, rows } = await openRows(env, what, options);
    const passed = await passOver({ env, what, warehouse, rows, options }, begun.pass);
    return { ...passed, copied: passed.copied - begun.copied };
  } catch (error) {
    if (options.signal.aborted) throw new Left();
    if (error instanceof NotComputable || error instanceof WarehouseFailure)
      await writing(env.database, (db) => failPass(db, place, explainFailure(error), env.now()));
    throw error;
  }
}

/**
 * The days of a source that have other numbers of rows than when they were copied, among those that were.
 * @throws NotComputable, WarehouseFailure
 */
export async function changedDays(env: JobEnv, what: What & { days: readonly number[] }, options: AnalysisOptions): Promise<number[]> {
  const { projectID, source } = what;
  const known = await rowsOfDays(env.database.db, { projectID, source: source.id }, what.days);
  if (known.size === 0) return [];
  const { warehouse, rows } = await openRows(env, what, options);
  const days = [...known.keys()];
  const [counted = {}] = await warehouse.ask<Record<string, number>>(dayCounts(rows, days, warehouse.dialect), options);
  return days.filter((day, index) => counted[`d${index}`] !== known.get(day));
}

async function openRows(
  env: JobEnv,
  { projectID, source }: What,
  options: AnalysisOptions,
): Promise<{ warehouse: Warehouse; rows: CopiedRows }> {
  const context = systemContext("runIngestion", env.now(), projectID);
  const warehouse = await writeAs(env.database, context, (stores) => stores.warehouse.open());
  if (!warehouse) throw new NotComputable(NO_WAREHOUSE_OF_SOURCE);
  const columns = await warehouse.readColumns({ query: queryOfRows(source.data, warehouse.dialect) }, options);
  const rows = toCopiedRows(source.id, source.data, columns, warehouse.dialect);
  if ("reason" in rows) throw new NotComputable(rows.reason);
  return { warehouse, rows };
}

type Copying = { env: JobEnv; what: What & { day: number }; warehouse: Warehouse; rows: CopiedRows; options: AnalysisOptions };

async function passOver(copying: Copying, begun: Pass): Promise<Passed> {
  const { env, what, warehouse, rows, options } = copying;
  let pass = begun;
  for (;;) {
    const found = await warehouse.ask<EqualRows>(dayRows(rows, what.day, pass.cursor, warehouse.dialect), options);
    if (found.length === 0) break;
    for (const part of splitParts(found)) {
      if (options.signal.aborted) throw new Left();
      pass = await takeStep(copying, pass, part);
    }
  }
  const passed = await writing(env.database, (db) => completePass(db, pass, env.now()));
  if (!passed) throw new Left();
  return passed;
}

function* splitParts(rows: readonly EqualRows[]): Generator<[EqualRows, ...EqualRows[]]> {
  let part: EqualRows[] = [];
  let [equal, size] = [0, 0];
  for (const row of rows) {
    const own = row.times * (row.fields?.length ?? 0);
    // Equal rows are copied by one transaction, since the place after them is all that it notes.
    if (row.times > STEP.equal || own > STEP.size)
      throw new NotComputable(`It has the same row ${row.times} times. Map a column that tells its rows apart.`);
    if (part.length === STEP.rows || equal + row.times > STEP.equal || size + own > STEP.size) {
      yield part as [EqualRows, ...EqualRows[]];
      [part, equal, size] = [[], 0, 0];
    }
    part.push(row);
    equal += row.times;
    size += own;
  }
  yield part as [EqualRows, ...EqualRows[]];
}

/** Copies those of the next rows that were not copied before. */
async function takeStep({ env, what, options }: Copying, pass: Pass, rows: [EqualRows, ...EqualRows[]]): Promise<Pass> {
  const { database, now } = env;
  await roomForEvents(env, options);
  const partitions = createPartitions(database);
  const read = rows.map((row) => readRow(what.source.data, row, now()));
  const [first, last] = [rows[0].identity, (rows.at(-1) as EqualRows).identity];
  const attempt = async () => {
    const time = now();
    if (!database.db.clickhouse) await partitions.require(utcDay(time));
    await writing(database, async (db) => {
      if (!(await holdPass(db, pass))) throw new Left();
      const copied = countIdentities(await copiedIdentities(db, pass, first, last));
      const step = toStep(rows, read, copied);
      if (step.events.length > 0) await storeBatches(db, [toWaiting(pass.projectID, "ingestion", step.events, batchPlace(pass))], time);
      await finishStep(db, pass, { ...step, cursor: last }, time);
    });
  };
  await attempt().catch((error: unknown) => {
    if (refusesEvents(error)) throw new NotComputable("Events are being moved to ClickHouse.");
    if (!lacksPartition(error)) throw error;
    partitions.forget();
    return attempt();
  });
  return { ...pass, cursor: last };
}

/** A unique place for each step: events of the same batch are stored once. */
const batchPlace = ({ source, day, number, cursor }: Pass) => JSON.stringify(["ingestion", source, day, number, cursor]);

function countIdentities(identities: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const identity of identities) counts.set(identity, (counts.get(identity) ?? 0) + 1);
  return counts;
}

function toStep(
  rows: readonly EqualRows[],
  read: readonly ReadRow[],
  copied: ReadonlyMap<string, number>,
): Omit<Step, "cursor"> & { events: EventRow[] } {
  const step = { seen: 0, refused: 0, message: null as string | null, identities: [] as string[], events: [] as EventRow[] };
  const counts = new Map<string, { event: string; seen: number; copied: number }>();
  for (const [index, row] of rows.entries()) {
    const { event, name } = read[index] as ReadRow;
    const isRefused = "reason" in event;
    const fresh = isRefused ? 0 : Math.max(0, row.times - (copied.get(row.identity) ?? 0));
    step.seen += row.times;
    if (isRefused) {
      step.refused += row.times;
      step.message = `A row was refused: ${event.reason}.`;
    } else
      for (let copy = 0; copy < fresh; copy += 1) {
        step.identities.push(row.identity);
        step.events.push(event);
      }
    if (name === undefined) continue;
    const count = counts.get(name) ?? { event: name, seen: 0, copied: 0 };
    counts.set(name, { event: name, seen: count.seen + row.times, copied: count.copied + fresh });
  }
  return { ...step, counts: [...counts.values()] };
}

/** Waits until ClickHouse has taken most of its waiting rows. @throws NotComputable if that takes longer than a statement may */
async function roomForEvents({ database }: JobEnv, { timeoutMs, signal }: AnalysisOptions): Promise<void> {
  if (!database.db.clickhouse) return;
  const until = Date.now() + timeoutMs;
  while ((await readOutbox(database.db)).size > MAX_UNDELIVERED) {
    if (Date.now() > until) throw new NotComputable("ClickHouse takes no events.");
    await sleep(1_000, undefined, { signal, ref: false });
  }
}
