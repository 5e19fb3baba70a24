import type { TimeZone } from "../../common/time-zone.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Shard } from "../../results/incremental/unit-rows.ts";
import type { Plan } from "../../results/plans/plan.ts";
import type { Subject } from "../../results/pulse/subject.ts";
import type { Analysis } from "../../results/sql/analysis.ts";
import { type SynchronizedRow, synchronizeQuery } from "../../results/sql/compared-unit-states.ts";
import type { ExposureSource } from "../../results/sql/exposed.ts";
import { type ArrivedTotalsRow, arrivedTotalsQuery } from "../../results/sql/totals-query.ts";
import { collectQuery, type Shards } from "../../results/sql/unit-days.ts";
import { WITHOUT_LOOPS } from "../../store/database/analyse.ts";
import { eventReader } from "../../store/database/ask.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { RunningAnalysis } from "../events/analyses.ts";

/** What decides, besides metrics, which rows a state has. `layout` is that of the rows. Times are ms. */
export type StateRest = Pick<Analysis, "idType" | "environments"> & {
  layout: number;
  exposureSource: ExposureSource;
  startTime: number;
  timeZone: TimeZone;
};

/** The metrics of a state, and the rest: another scope needs another state. */
export type StateScope = { metrics: { id: string; plan: Plan }[]; rest: StateRest };

/** A day of arrival that a state has read. */
export type Arrival = {
  /** In UTC, counted from the epoch. */
  day: number;
  /** How many events of its names had arrived when it was read; -1 if the day was dropped, and only kept events were read. */
  seen: number;
  /** Events from this time on were not read, ms. */
  until: number;
  /** What its events add to the totals of the metrics that have one: the number of the day on which they happened, and an amount for each metric. */
  totals: number[][];
};

/** A day of arrival as it is now. */
export type Arrived = Omit<Arrival, "totals">;

/** What loads of several metrics of a subject continue from. */
export type LoadState = {
  id: bigint;
  projectID: string;
  scope: StateScope;
  arrivals: Arrival[];
  nextUnit: number;
  version: number;
};

/** Another run has written the state since it was read. */
export class Raced extends Error {}

export type StateRow = { id: bigint; scope: string; arrivals: string; nextUnit: number; version: number };

export const STATE_COLUMNS = Prisma.sql`id, scope, arrivals, "nextUnit", version`;

export async function listStates(db: Db, projectID: string, { type, id, ruleID }: Subject): Promise<LoadState[]> {
  const rows = await db.$queryRaw<StateRow[]>`
    select ${STATE_COLUMNS} from load_state
    where "projectID" = ${projectID} and "subjectType" = ${type} and "subjectID" = ${id} and "ruleID" = ${ruleID ?? ""} order by id`;
  return rows.map((row) => toState(row, projectID));
}

export async function addState(
  db: Db,
  projectID: string,
  { type, id, ruleID }: { type: string; id: string; ruleID: string | null },
  { scope, idType, now }: { scope: StateScope; idType: string; now: number },
): Promise<LoadState> {
  const [row] = await db.$queryRaw<[StateRow]>`
    insert into load_state ("projectID", "subjectType", "subjectID", "ruleID", "idType", scope, arrivals, "nextUnit", version, "updatedTime")
    values (${projectID}, ${type}, ${id}, ${ruleID ?? ""}, ${idType.toLowerCase()}, ${JSON.stringify(scope)}, '[]', 1, 1, ${now})
    returning ${STATE_COLUMNS}`;
  return toState(row, projectID);
}

export function toState({ id, scope, arrivals, ...row }: StateRow, projectID: string): LoadState {
  return { ...row, id: BigInt(id), projectID, scope: JSON.parse(scope), arrivals: JSON.parse(arrivals) };
}

/** Deletes states that meet a condition, in a transaction. */
export async function deleteStates(db: Db, where: Prisma.Sql): Promise<void> {
  const rows = await db.$queryRaw<{ id: bigint }[]>`delete from load_state where ${where} returning id`;
  const ids = rows.map(({ id }) => String(id));
  if (ids.length === 0) return;
  await db.$executeRaw`delete from unit_day where "stateID" = any(${ids}::bigint[])`;
  await db.$executeRaw`delete from unit_state where "stateID" = any(${ids}::bigint[])`;
}

export const deleteStatesBefore = (db: Db, time: number): Promise<void> => deleteStates(db, Prisma.sql`"updatedTime" < ${time}`);

/** Deletes the states of everything but some analyses. */
export function deleteStatesOfOthers(db: Db, analyses: readonly RunningAnalysis[]): Promise<void> {
  const keys = analyses.map((one) => [one.projectID, one.type, one.id, one.type === "experiment" ? "" : (one.ruleID ?? "")].join("\n"));
  return deleteStates(db, Prisma.sql`concat_ws(E'\\n', "projectID", "subjectType", "subjectID", "ruleID") <> all(${keys}::text[])`);
}

export const isState = ({ id }: Pick<LoadState, "id">): Prisma.Sql => Prisma.sql`id = ${String(id)}::bigint`;

/**
 * Begins a write to a state, in a transaction.
 * @throws Raced if another run has written it since
 */
export async function claimState(db: Db, state: LoadState): Promise<void> {
  const claimed = await db.$executeRaw`update load_state set version = version + 1 where ${isState(state)} and version = ${state.version}`;
  if (claimed === 0) throw new Raced();
  await db.$executeRaw`select ${Prisma.raw(WITHOUT_LOOPS)}, set_config('jit', 'off', true)`;
}

/** Completes the write. */
export async function saveState(db: Db, state: LoadState, now: number): Promise<void> {
  await db.$executeRaw`
    update load_state set arrivals = ${JSON.stringify(state.arrivals)}, "nextUnit" = ${state.nextUnit}, "updatedTime" = ${now} where ${isState(state)}`;
}

/** The days of arrival from a day on whose events of these names are stored, ascending, with the number of events; -1 if the day was dropped. */
export async function listArrivals(db: Db, projectID: string, names: readonly string[], first: number): Promise<Omit<Arrived, "until">[]> {
  return db.$queryRaw<Omit<Arrived, "until">[]>`
    select day, seen from (
      select day, sum(count)::float8 as seen from event_count where "projectID" = ${projectID} and name = any(${[...names]}::text[]) and day >= ${first}
      group by day
      union all select day, -1 from dropped_event_day where day >= ${first}
    ) as arrived order by day`;
}

/** Makes the units of a state agree with the exposures, in a transaction. */
export async function synchronizeUnits(db: Db, ...[given, analysis]: Leading<typeof synchronizeQuery>): Promise<SynchronizedRow> {
  const { dialect, read } = eventReader(db);
  const [row] = await read<SynchronizedRow>((bind) => synchronizeQuery(given, analysis, dialect, bind));
  return row as SynchronizedRow;
}

/** Stores what the events of days of arrival add to the days of units, in a transaction. */
export async function collectUnitDays(db: Db, ...[terms, preMs, given, analysis]: Leading<typeof collectQuery>): Promise<void> {
  const { stateID, shards, arrived, isOfNewUnits } = given;
  // Rows of new units are added to those of others.
  if (!isOfNewUnits)
    await db.$executeRaw`
      delete from unit_day where "stateID" = ${String(stateID)}::bigint and shard between ${shards.first} and ${shards.last}
        and day between ${arrived.first} and ${arrived.last}`;
  const { dialect, read } = eventReader(db);
  await read((bind) => collectQuery(terms, preMs, given, analysis, dialect, bind));
}

/** Sums metrics over all events of days of arrival, in a transaction that stores these days. */
export function totalArrivals(db: Db, ...given: Leading<typeof arrivedTotalsQuery>): Promise<ArrivedTotalsRow[]> {
  const { dialect, read } = eventReader(db);
  return read<ArrivedTotalsRow>((bind) => arrivedTotalsQuery(...given, dialect, bind));
}

/** The arguments of a writer of statements before the dialect. */
type Leading<F extends (...given: never[]) => string> = Parameters<F> extends [...infer Given, infer _Dialect, infer _Bind] ? Given : never;

/** The earliest first exposure of units whose events the state does not have, ms; undefined if it has those of all. */
export async function earliestUncollected(db: Db, { id }: LoadState): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ since: bigint | null }[]>`
    select min(since) as since from unit_state where "stateID" = ${String(id)}::bigint and not "isCollected"`;
  return row?.since === null || row === undefined ? undefined : Number(row.since);
}

export async function markCollected(db: Db, { id }: LoadState): Promise<void> {
  await db.$executeRaw`update unit_state set "isCollected" = true where "stateID" = ${String(id)}::bigint and not "isCollected"`;
}

export async function deleteArrivals(db: Db, { id }: LoadState, days: readonly number[]): Promise<void> {
  await db.$executeRaw`delete from unit_day where "stateID" = ${String(id)}::bigint and day = any(${[...days]}::int[])`;
}

/** Consecutive shards of a state: their units and rows. @param groups ids @param lastArrival the last day of arrival that counts */
export async function readShards(
  db: Db,
  { id }: LoadState,
  { first, last }: Shards,
  groups: readonly string[],
  lastArrival: number,
): Promise<Shard[]> {
  const state = String(id);
  const listed = await db.$queryRaw<{ shard: number; units: Uint8Array }[]>`
    select shard, string_agg(int4send(unit) || int2send((array_position(${[...groups]}::text[], "groupID") - 1)::smallint) || int8send(since), ''::bytea) as units
    from unit_state where "stateID" = ${state}::bigint and shard between ${first} and ${last} group by shard`;
  const rows = await db.$queryRaw<{ shard: number; rows: Uint8Array }[]>`
    select shard, rows from unit_day where "stateID" = ${state}::bigint and shard between ${first} and ${last} and day <= ${lastArrival}
    order by shard, day`;
  return listed.map(({ shard, units }) => ({
    units: toUnits(units),
    blocks: rows.filter((one) => one.shard === shard).map((one) => one.rows),
  }));
}

const UNIT_BYTES = 14;

function toUnits(packed: Uint8Array): Shard["units"] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const count = packed.byteLength / UNIT_BYTES;
  const units = { numbers: new Int32Array(count), groups: new Uint16Array(count), since: new Float64Array(count) };
  for (let unit = 0; unit < count; unit++) {
    units.numbers[unit] = view.getInt32(unit * UNIT_BYTES);
    units.groups[unit] = view.getInt16(unit * UNIT_BYTES + 4);
    units.since[unit] = Number(view.getBigInt64(unit * UNIT_BYTES + 6));
  }
  return units;
}
