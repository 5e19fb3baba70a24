import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { daysBefore } from "../../src/common/local-day.ts";
import { UTC } from "../../src/common/time-zone.ts";
import { type Plan, readsHistory } from "../../src/results/plans/plan.ts";
import { USER_PLANS } from "../../src/results/plans/user-plan.ts";
import type { Analysis } from "../../src/results/sql/analysis.ts";
import { buildAnalysis, DAY_MS, days, expectEqual, randomWorld, START, TODAY } from "../support/moments.ts";
import { mean, one, PLANS } from "../support/plans.ts";
import { cumulated, referenceMoments } from "../support/reference-moments.ts";
import { computeMoments, onEngine, openEngine, type ResultsEngine, type World } from "../support/results-engine.ts";
import { seedsToRun } from "../support/seeds.ts";

let engine: ResultsEngine;
beforeAll(async () => {
  engine = await openEngine();
});
afterAll(() => engine?.close());

const ask = (plans: Plan[], analysis: Analysis) => computeMoments(engine, plans, analysis);
const store = (projectID: string, world: World) => engine.store(projectID, world);

describe("the moments of metrics that one query reads agree with a naive computation", onEngine, () => {
  test.each(seedsToRun([1, 2, 3]))("over random events, with seed %i", async (seed) => {
    const world = randomWorld(seed);
    const projectID = `seed ${seed}`;
    await store(projectID, world);
    const analysis = buildAnalysis(projectID);
    const plans = Object.values(PLANS);
    const expected = referenceMoments(plans, analysis, world.exposures, world.events);
    expect(expected.size).toBeGreaterThan(plans.length * 10);
    expectEqual(cumulated(await ask(plans, analysis), analysis), expected);
  });

  test("of any activity of units, without reading texts", async () => {
    const world = randomWorld(5);
    await store("activity", world);
    const analysis = buildAnalysis("activity");
    const plans = Object.values(USER_PLANS).filter((plan) => !readsHistory(plan));
    expectEqual(cumulated(await ask(plans, analysis), analysis), referenceMoments(plans, analysis, world.exposures, world.events));
  });

  test("of units that are new", async () => {
    const world = randomWorld(6);
    // Every third unit is seen for the first time after the start.
    const events = world.events.filter(({ unit, time }) => time >= START || Number(unit.slice(-1)) % 3 > 0);
    await store("new units", { ...world, events });
    const plan: Plan = USER_PLANS.new_dau;
    const analysis = { ...buildAnalysis("new units"), earlierDays: daysBefore(START, plan.preMs, UTC) };
    const expected = referenceMoments([plan], analysis, world.exposures, events);
    expect(expected.get("0 test null 9")?.y).toBeGreaterThan(0);
    expectEqual(cumulated(await ask([plan], analysis), analysis), expected);
  });
});

describe("the moments of a metric", onEngine, () => {
  const count = [mean(one)];
  const exposure = { unit: "u", group: "test", time: START, country: "NO" };
  const event = { id: 1, unit: "u", name: "buy", time: START + DAY_MS, value: "", metadata: {}, country: "NO" };
  const changed = async (projectID: string, analysis: Partial<Analysis> = {}) =>
    (await ask(count, { ...buildAnalysis(projectID), ...analysis })).map(({ day, n, y }) => [Number(day), n, y]);

  test("read units of another type from the other IDs of an event, ignoring the case of the ID's name", async () => {
    await store("other units", { exposures: [exposure], events: [{ ...event, unit: "somebody", customIDs: { companyid: "u" } }] });
    expect(await changed("other units", { idType: "companyID" })).toEqual([
      [1, 1, 0],
      [2, 0, 1],
    ]);
    expect(await changed("other units")).toEqual([[1, 1, 0]]);
  });

  test("count an event whose device is ahead on the day on which it arrived", async () => {
    await store("ahead", { exposures: [exposure], events: [{ ...event, time: (TODAY + 400) * DAY_MS }] });
    const untilTomorrow = { days: days(0, 11), end: START + 11 * DAY_MS };
    expect(await changed("ahead", untilTomorrow)).toEqual([
      [1, 1, 0],
      [11, 0, 1],
    ]);
  });

  test("leave out exposures in other environments, in other groups, and before the first day", async () => {
    await store("others", {
      exposures: [
        { ...exposure, unit: "elsewhere", environment: "staging" },
        { ...exposure, unit: "other group", group: "forgotten" },
        { ...exposure, unit: "too early", time: START - 1 },
      ],
      events: [],
    });
    expect(await changed("others")).toEqual([]);
  });
});
