import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { daysBefore, daysFrom } from "../../src/common/local-day.ts";
import { type TimeZone, toTimeZone, UTC } from "../../src/common/time-zone.ts";
import { addState, type LoadState } from "../../src/console/results/load-state-store.ts";
import { advanceState, type StateAnalysis } from "../../src/jobs/loads/advance-state.ts";
import { sumState } from "../../src/jobs/loads/sum-state.ts";
import { isIncremental } from "../../src/results/incremental/incremental-plan.ts";
import type { Plan } from "../../src/results/plans/plan.ts";
import { askSums } from "../../src/results/pulse/ask-sums.ts";
import { subjectOfExperiment } from "../../src/results/pulse/subject.ts";
import { type DailySums, NOTHING, sumsAsOf } from "../../src/results/pulse/sums.ts";
import { postgres } from "../../src/results/sql/dialect.ts";
import { SUMS } from "../../src/results/sql/measures.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { DAY_MS, START, seededRandom } from "../support/moments.ts";
import { needs } from "../support/needs.ts";
import { PLANS } from "../support/plans.ts";
import { seedsToRun } from "../support/seeds.ts";
import { type Arriving, worldIn } from "../support/stored-days.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const GROUPS = ["control", "test"];
const signal = new AbortController().signal;
const PRE_MS = 7 * DAY_MS;

/** Plans that one state can have. */
const stored = Object.values(PLANS).filter(isIncremental);
const parts = Array.from({ length: Math.ceil(stored.length / 8) }, (_, part) => stored.slice(8 * part, 8 * part + 8));

function analysisTo(projectID: string, end: number, timeZone: TimeZone): StateAnalysis {
  return {
    ...{ projectID, exposureSource: { type: "experiment", id: "e", groupIDs: GROUPS }, idType: "userID", environments: ["production"] },
    ...{ days: daysFrom(START, end, timeZone), earlierDays: daysBefore(START, PRE_MS, timeZone), end },
  };
}

function newState(projectID: string, plans: readonly Plan[], timeZone: TimeZone): Promise<LoadState> {
  const { exposureSource, idType, environments } = analysisTo(projectID, START + 1, timeZone);
  const rest = { layout: 1, exposureSource, idType, environments, startTime: START, timeZone };
  const metrics = plans.map((plan, index) => ({ id: `metric ${index}`, plan }));
  return addState(database.db, projectID, subjectOfExperiment("e"), { scope: { metrics, rest }, idType, now: 0 });
}

async function incremental(plans: readonly Plan[], state: LoadState, analysis: StateAnalysis): Promise<DailySums[][]> {
  await advanceState({ database, now: () => 0, signal, analysis, keepsEvents: true }, state);
  return sumState({ database, signal, analysis }, state, plans);
}

const full = (plans: readonly Plan[], analysis: StateAnalysis): Promise<DailySums[][]> =>
  askSums(
    ({ text, parameters }) =>
      database.analyse(
        text,
        parameters.map(({ value }) => value),
        { timeoutMs: 60_000, signal },
      ),
    plans,
    analysis,
    postgres,
  );

function expectSame(actual: DailySums[][], expected: DailySums[][], days: number): void {
  for (const [plan, daily] of expected.entries())
    for (let day = 1; day <= days; day++) {
      const [own, other] = [sumsAsOf(actual[plan] ?? [], day), sumsAsOf(daily, day)];
      expect(Object.keys(own).sort()).toEqual(Object.keys(other).sort());
      for (const [group, sums] of Object.entries(other))
        for (const name of SUMS) {
          const found = (own[group] ?? NOTHING)[name];
          const difference = Math.abs(found - sums[name]) / Math.max(1, Math.abs(sums[name]));
          expect(difference, `${name} of plan ${plan}, ${group}, day ${day}: ${found} for ${sums[name]}`).toBeLessThan(1e-9);
        }
    }
}

/** What happens between two loads of a random history. */
function randomStep(random: () => number, step: number, ids: { next: number }) {
  const pick = <T>(values: T[]): T => values[Math.floor(random() * values.length)] as T;
  const units = Array.from({ length: 30 }, (_, index) => `unit ${index}`);
  const today = START / DAY_MS + step;
  const events = Array.from({ length: 60 }, (): Arriving => {
    // Most events arrive at once; some come late, and some are copied into the day on which they happened.
    const late = random();
    const time = today * DAY_MS + Math.floor(random() * DAY_MS) - (late < 0.7 ? 0 : Math.floor(random() * 6 * DAY_MS));
    const day = late > 0.9 ? Math.floor(time / DAY_MS) : today;
    return {
      ...{ id: ids.next++, day, unit: pick([...units, "a stranger"]), name: pick(["buy", "buy", "view"]), time },
      value: pick(["", "no number", "1e2", " 7 ", "-3.5", `${Math.round(random() * 1000) / 10}`]),
      metadata: pick<object>([{}, { item: pick(["a", "b", "abc"]), items: Math.floor(random() * 5) }]),
    };
  });
  const exposed = units
    .filter(() => random() < 0.2)
    .map((unit) => {
      const group = random() < 0.9 ? (GROUPS[Number(unit.slice(-1)) % 2] as string) : pick(GROUPS);
      return { unit, group, time: Math.max(START, today * DAY_MS + Math.floor(random() * DAY_MS) - (random() < 0.2 ? 3 * DAY_MS : 0)) };
    });
  return { events, exposed, forgotten: random() < 0.3 ? pick(units) : undefined };
}

describe("sums from stored days agree with those of a pass over all events", needs.ownEvents, () => {
  test.each(seedsToRun([1, 2, 3, 4]))("over a random history of loads, with seed %i", async (seed) => {
    const random = seededRandom(seed);
    const projectID = `history ${seed}`;
    const zone = seed % 2 === 0 ? UTC : (toTimeZone("America/Los_Angeles") as TimeZone);
    const world = worldIn(database, projectID);
    const states = await Promise.all(parts.map((plans) => newState(projectID, plans, zone)));
    const ids = { next: seed * 100_000 };
    for (const early of [-6, -3, -1]) await world.log(randomStep(random, early, ids).events);
    for (let step = 0; step < 8; step++) {
      const { events, exposed, forgotten } = randomStep(random, step, ids);
      await world.log(events);
      for (const { unit, group, time } of exposed) await world.expose(unit, group, time);
      if (forgotten !== undefined) await world.forget(forgotten);
      // Some loads run in the middle of a day, and some days pass without one.
      if (random() < 0.3) continue;
      const analysis = analysisTo(projectID, START + step * DAY_MS + Math.floor((0.3 + random()) * DAY_MS), zone);
      for (const [part, plans] of parts.entries())
        expectSame(await incremental(plans, states[part] as LoadState, analysis), await full(plans, analysis), analysis.days.length);
    }
  });
});
