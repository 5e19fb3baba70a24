import { setImmediate as letOthersRun } from "node:timers/promises";
import { type LoadState, readShards } from "../../console/results/load-state-store.ts";
import { storedSums } from "../../results/incremental/stored-sums.ts";
import type { Shard } from "../../results/incremental/unit-rows.ts";
import type { Plan } from "../../results/plans/plan.ts";
import type { DailySums } from "../../results/pulse/sums.ts";
import { type ExposureSource, FAIL, PASS } from "../../results/sql/exposed.ts";
import { SHARDS } from "../../results/sql/unit-days.ts";
import type { Database } from "../../store/database/database.ts";
import { reading } from "../../store/database/unit-of-work.ts";
import { type StateAnalysis, termsOfState } from "./advance-state.ts";

type Given = {
  database: Database;
  signal: AbortSignal;
  analysis: StateAnalysis;
  /** The last day of arrival that counts; all if undefined. */
  lastArrival?: number;
};

/** Each day's additions to the sums of plans that a state has. */
export function sumState(given: Given, state: LoadState, plans: readonly Plan[]): Promise<DailySums[][]> {
  const groups = groupIDs(given.analysis.exposureSource);
  const shards = () => eachShard(given, state, groups);
  return storedSums(plans, { terms: termsOfState(state), groups, analysis: given.analysis, shards, breathe: letOthersRun });
}

const groupIDs = (source: ExposureSource): readonly string[] => (source.type === "experiment" ? source.groupIDs : [PASS, FAIL]);

/** The size of rows that are read at once. */
const BYTES_AT_ONCE = 2 ** 21;

const ALL_ARRIVALS = 2 ** 31 - 1;

async function* eachShard(
  { database, signal, lastArrival = ALL_ARRIVALS }: Given,
  state: LoadState,
  groups: readonly string[],
): AsyncGenerator<Shard> {
  for (let [first, count] = [0, 1]; first < SHARDS; ) {
    signal.throwIfAborted();
    const range = { first, last: first + count - 1 };
    const shards = await reading(database, (db) => readShards(db, state, range, groups, lastArrival));
    yield* shards;
    const bytes = shards.flatMap(({ blocks }) => blocks).reduce((sum, block) => sum + block.byteLength, 0);
    first += count;
    // Shards have about as many rows.
    count = Math.max(1, Math.min(SHARDS - first, Math.floor(BYTES_AT_ONCE / Math.max(1, bytes / count))));
  }
}
