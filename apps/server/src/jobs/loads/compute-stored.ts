import {
  addState,
  deleteStates,
  isState,
  type LoadState,
  listStates,
  Raced,
  type StateRest,
} from "../../console/results/load-state-store.ts";
import { isIncremental } from "../../results/incremental/incremental-plan.ts";
import type { Planned } from "../../results/plans/load-parts.ts";
import type { DailySums } from "../../results/pulse/sums.ts";
import { reading, writing } from "../../store/database/unit-of-work.ts";
import { advanceState, type StateAnalysis } from "./advance-state.ts";
import type { LoadRun } from "./load-run.ts";
import { totalsOf } from "./state-totals.ts";
import { dividedAmongStates, type StoredPart, toScope } from "./stored-parts.ts";
import { sumState } from "./sum-state.ts";
import type { Totals } from "./total-metrics.ts";

/** The layout of rows. Other rows are made from all events again. */
const LAYOUT = 2;

/** Whether the load reads only what arrived since the one before: its units and events are in the database itself. */
export function isStored({ env, input }: LoadRun, { plan }: Planned): boolean {
  const { assignmentSource } = input.compared;
  return !env.database.db.clickhouse && assignmentSource === undefined && !input.qualifying && isIncremental(plan);
}

/** What a state must agree with, besides the plans of its metrics. */
function scopeOf({ load: { startTime, timeZone }, input: { compared, environments } }: LoadRun): StateRest {
  const { exposureSource, idType } = compared;
  return { layout: LAYOUT, exposureSource, idType, environments, startTime, timeZone };
}

/** Divides metrics among the states that earlier loads left, and deletes states of no use. */
export async function toStoredParts(run: LoadRun, planned: readonly Planned[]): Promise<StoredPart[]> {
  const { database } = run.env;
  const { projectID, subject, reloadType } = run.load;
  const states = await reading(database, (db) => listStates(db, projectID, subject));
  const { parts, useless } = dividedAmongStates(planned, states, { rest: scopeOf(run), isOfAll: reloadType === "full" });
  for (const state of useless) await writing(database, (db) => deleteStates(db, isState(state)));
  return parts;
}

/** How often a part is begun again because another run has written its state. */
const MAX_RACES = 3;

type Summed = { sums: DailySums[][]; totals: Totals };

/** The daily sums and the totals of the metrics of a part, from what earlier loads stored and what arrived since. */
export async function sumStored(run: LoadRun, { planned, state }: StoredPart, analysis: StateAnalysis): Promise<Summed> {
  const { env, load } = run;
  let known = state ?? (await newState(run, planned));
  for (let races = 0; ; races++)
    try {
      return await advanceAndSum(run, planned, known, analysis);
    } catch (error) {
      if (!(error instanceof Raced) || races === MAX_RACES) throw error;
      const states = await reading(env.database, (db) => listStates(db, load.projectID, load.subject));
      known = states.find(({ id }) => id === known.id) ?? (await newState(run, planned));
    }
}

function newState(run: LoadRun, planned: readonly Planned[]): Promise<LoadState> {
  const { env, load, input } = run;
  const created = { scope: toScope(planned, scopeOf(run)), idType: input.compared.idType, now: env.now() };
  return writing(env.database, (db) => addState(db, load.projectID, load.subject, created));
}

async function advanceAndSum(run: LoadRun, planned: readonly Planned[], state: LoadState, analysis: StateAnalysis): Promise<Summed> {
  const { database, now } = run.env;
  const { signal } = run;
  await advanceState({ database, now, signal, analysis, keepsEvents: run.input.keepsEvents }, state);
  const sums = await sumState(
    { database, signal, analysis },
    state,
    planned.map(({ plan }) => plan),
  );
  return { sums, totals: totalsOf(state, analysis) };
}
