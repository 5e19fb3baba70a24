import { DAY_MS, utcDay } from "../../common/utc-day.ts";
import {
  type Arrival,
  type Arrived,
  claimState,
  collectUnitDays,
  deleteArrivals,
  earliestUncollected,
  type LoadState,
  listArrivals,
  markCollected,
  saveState,
  synchronizeUnits,
} from "../../console/results/load-state-store.ts";
import { distinctTerms, type Term } from "../../results/plans/plan.ts";
import type { Analysis } from "../../results/sql/analysis.ts";
import type { ExposureSource } from "../../results/sql/exposed.ts";
import { eventNames } from "../../results/sql/logged.ts";
import { SHARDS, type Shards } from "../../results/sql/unit-days.ts";
import type { Database } from "../../store/database/database.ts";
import { type Db, reading, writing } from "../../store/database/unit-of-work.ts";
import { totalling } from "./state-totals.ts";

/** The units and days of a state. */
export type StateAnalysis = Analysis & { exposureSource: ExposureSource };

type Given = {
  database: Database;
  now: () => number;
  signal: AbortSignal;
  analysis: StateAnalysis;
  /** Whether all events of dropped days that the analysis reads are kept: they are until it is decided. */
  keepsEvents: boolean;
};

/** The terms of a state's rows, in their order. */
export const termsOfState = ({ scope }: LoadState): Term[] => distinctTerms(scope.metrics.map(({ plan }) => plan));

/** How long before the first exposure a state's plans read events, ms. */
const preMsOf = ({ scope }: LoadState): number => scope.metrics[0]?.plan.preMs ?? 0;

/** Days of arrival that one statement reads, and the units that it reads them for. */
type Batch = { days: Arrived[]; shards: Shards[] };

/**
 * Brings a state up to date: its units, and the days of arrival that it has not read, or whose events have changed since. Each step is one
 * transaction that can be repeated, so an interrupted run is continued by the next one.
 * @throws Raced if another run writes the state
 */
export async function advanceState(given: Given, state: LoadState): Promise<void> {
  const { database, analysis, keepsEvents } = given;
  const { projectID, days, end } = analysis;
  const first = utcDay((days[0] ?? end) - preMsOf(state));
  const names = eventNames(termsOfState(state)) ?? [];
  const present = (await reading(database, (db) => listArrivals(db, projectID, names, first))).map((one) => ({
    ...one,
    until: Math.min(end, (one.day + 1) * DAY_MS),
  }));
  const read = new Map(state.arrivals.map((one) => [one.day, one]));
  const isRead = ({ day, seen, until }: Arrived) =>
    read.get(day)?.seen === seen && read.get(day)?.until === until && (seen >= 0 || keepsEvents);
  await synchronize(given, state);
  await catchUp(given, state, present.filter(isRead));
  const gone = state.arrivals.filter(({ day }) => !present.some((one) => one.day === day)).map(({ day }) => day);
  if (gone.length > 0)
    await write(given, state, async (db) => {
      await deleteArrivals(db, state, gone);
      return { arrivals: state.arrivals.filter(({ day }) => !gone.includes(day)) };
    });
  for (const batch of batches(present, (one) => !isRead(one), database.eventsAtOnce)) await collect(given, state, batch);
}

/** The shards, in parts that one statement can read without delaying others for long. */
const parts = (count: number): Shards[] =>
  Array.from({ length: count }, (_, part) => ({
    first: Math.ceil((part * SHARDS) / count),
    last: Math.ceil(((part + 1) * SHARDS) / count) - 1,
  }));

async function synchronize(given: Given, state: LoadState): Promise<void> {
  const isEmpty = state.arrivals.length === 0;
  for (const shards of parts(given.database.unitParts)) {
    const { id: stateID, nextUnit } = state;
    await write(given, state, async (db) => {
      const { added } = await synchronizeUnits(db, { stateID, shards, nextUnit, isEmpty }, given.analysis);
      return { nextUnit: nextUnit + added };
    });
  }
}

/** Collects what new units did on days that were read before. @param read ascending */
async function catchUp(given: Given, state: LoadState, read: readonly Arrived[]): Promise<void> {
  const { database } = given;
  const since = await reading(database, (db) => earliestUncollected(db, state));
  if (since === undefined) return;
  const isOwn = ({ day }: Arrived) => day >= utcDay(since - preMsOf(state));
  for (const { days, shards } of batches(read, isOwn, database.eventsAtOnce))
    for (const part of shards)
      await write(given, state, async (db) => {
        await collectDays(db, given, state, { days, shards: part, isOfNewUnits: true });
        return {};
      });
  await write(given, state, async (db) => {
    await markCollected(db, state);
    return {};
  });
}

async function collect(given: Given, state: LoadState, { days, shards }: Batch): Promise<void> {
  const totals = totalling(state, given.analysis, days);
  for (const [index, part] of shards.entries()) {
    await write(given, state, async (db) => {
      await collectDays(db, given, state, { days, shards: part, isOfNewUnits: false });
      await totals.add(db, part);
      return index < shards.length - 1 ? {} : { arrivals: withRead(state.arrivals, totals.found()) };
    });
  }
}

function withRead(arrivals: readonly Arrival[], read: readonly Arrival[]): Arrival[] {
  const days = new Set(read.map(({ day }) => day));
  return [...arrivals.filter(({ day }) => !days.has(day)), ...read].sort((a, b) => a.day - b.day);
}

type Collecting = { days: readonly Arrived[]; shards: Shards; isOfNewUnits: boolean };

function collectDays(db: Db, { analysis }: Given, state: LoadState, { days, shards, isOfNewUnits }: Collecting): Promise<void> {
  const arrived = { first: days[0]?.day ?? 0, last: days.at(-1)?.day ?? 0 };
  return collectUnitDays(db, termsOfState(state), preMsOf(state), { stateID: state.id, shards, arrived, isOfNewUnits }, analysis);
}

/**
 * Divides days into those that one statement reads. Days in between that are not wanted would be read too, so they end a batch.
 * @param most events
 */
function batches(all: readonly Arrived[], isWanted: (one: Arrived) => boolean, most: number): Batch[] {
  const found: Batch[] = [];
  let [size, isContinued] = [0, false];
  for (const one of all) {
    const wanted = isWanted(one);
    // How many events are kept of a dropped day is not known.
    const count = one.seen < 0 ? most : one.seen;
    const last = found.at(-1);
    if (wanted && isContinued && last && size + count <= most) {
      last.days.push(one);
      size += count;
    } else if (wanted) {
      found.push({ days: [one], shards: parts(Math.min(SHARDS, Math.max(1, Math.ceil(count / most)))) });
      size = count;
    }
    isContinued = wanted;
  }
  return found;
}

type Change = Partial<Pick<LoadState, "arrivals" | "nextUnit">>;

/** Writes to a state in one transaction. @param work returns what changes in the state */
async function write({ database, now, signal }: Given, state: LoadState, work: (db: Db) => Promise<Change>): Promise<void> {
  signal.throwIfAborted();
  const written = await writing(database, async (db) => {
    await claimState(db, state);
    const { arrivals = state.arrivals, nextUnit = state.nextUnit } = await work(db);
    const changed = { ...state, arrivals, nextUnit, version: state.version + 1 };
    await saveState(db, changed, now());
    return changed;
  });
  Object.assign(state, written);
}
