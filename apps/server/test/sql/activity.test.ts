import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UTC } from "../../src/common/time-zone.ts";
import { automaticMetric } from "../../src/console/metrics/automatic-metric.ts";
import { MAX_KEPT_DAYS } from "../../src/evaluation/events/kept-events.ts";
import { planOfDay } from "../../src/results/plans/daily-plan.ts";
import { divided } from "../../src/results/plans/load-parts.ts";
import type { Activity, Plan } from "../../src/results/plans/plan.ts";
import { MAX_HISTORY_DAYS, USER_PLANS, type UserMetricName } from "../../src/results/plans/user-plan.ts";
import { activityQuery } from "../../src/results/sql/activity-query.ts";
import type { ValuesRow } from "../../src/results/sql/values-query.ts";
import { activeUnits } from "../support/activity-reference.ts";
import type { Logged } from "../support/reference-events.ts";
import { onEngine, openEngine, type ResultsEngine } from "../support/results-engine.ts";

const DAY_MS = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY_MS);
const DAYS = 20;
const END = (TODAY + 1) * DAY_MS;
const START = END - DAYS * DAY_MS;
const NAMES = Object.keys(USER_PLANS) as UserMetricName[];

const buildMetric = (name: UserMetricName) => automaticMetric({ name, type: "user", createdTime: 0 });
const planOn = (name: UserMetricName) => planOfDay(buildMetric(name)) as Plan;

/** Units that do something on some of the last 60 days, as a linear congruence determines. */
function randomEvents(): Logged[] {
  let state = 7;
  const below = (limit: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
  return Array.from({ length: 150 }, (_, id) => ({
    ...{ id, unit: `unit ${below(40)}`, name: ["buy", "view", "statsig::config_exposure"][below(3)] as string, value: "", metadata: {} },
    ...{ time: END - 1 - below(60 * 48) * (DAY_MS / 48), country: "NO" },
  }));
}

describe("the numbers of active and of new units on each day", onEngine, () => {
  let engine: ResultsEngine;
  beforeAll(async () => {
    engine = await openEngine();
  });
  afterAll(() => engine?.close());

  test("agree with a naive computation", async () => {
    const events = randomEvents();
    await engine.store("p", { exposures: [], events });
    const days = Array.from({ length: DAYS }, (_, index) => START + index * DAY_MS);
    const asked = { projectID: "p", idType: "userID", days, end: END, timeZone: UTC };
    const rows = await engine.ask<ValuesRow>(activityQuery(NAMES.map(planOn), asked, engine.dialect));
    const naive = (activity: Activity) => activeUnits(activity, events, days, END);
    const [dau, wau, mau, fresh] = [1, 7, 28]
      .map((withinDays) => naive({ marks: "active", withinDays }))
      .concat([naive({ marks: "first" })]) as [number[], number[], number[], number[]];
    expect(Math.max(...fresh)).toBeGreaterThan(0);
    const expected: Record<UserMetricName, (day: number) => number[]> = {
      dau: (day) => [dau[day] as number, dau[day] as number, 0],
      wau: (day) => [wau[day] as number, wau[day] as number, 0],
      mau_28day: (day) => [mau[day] as number, mau[day] as number, 0],
      weekly_stickiness: (day) => [wau[day] as number, dau[day] as number, wau[day] as number],
      monthly_stickiness: (day) => [mau[day] as number, dau[day] as number, mau[day] as number],
      new_dau: (day) => [fresh[day] as number, fresh[day] as number, 0],
    };
    for (const [index, name] of NAMES.entries()) {
      const found = new Map(rows.filter(({ metric }) => Number(metric) === index).map((row) => [Number(row.day), row]));
      const actual = days.map((_, day) => found.get(day + 1)).map((row) => (row ? [row.units, row.numerator, row.denominator] : [0, 0, 0]));
      expect(actual, name).toEqual(days.map((_, day) => expected[name](day)));
    }
  });
});

test("metrics of users are computed by statements of their own, apart from those of single events", () => {
  const counts = ["buy", "view"].map((name) => automaticMetric({ name, type: "event_count", createdTime: 0 }));
  const all = [...counts, ...NAMES.map(buildMetric)];
  const { parts, refused } = divided(
    all.map(({ id }) => id),
    new Map(all.map((metric) => [metric.id, metric])),
    { idType: "userID" },
  );
  expect(refused).toEqual([]);
  expect(parts.map((part) => part.map(({ metric }) => metric.name))).toEqual([
    ["buy", "view"],
    ["dau", "wau", "mau_28day"],
    ["weekly_stickiness", "monthly_stickiness"],
    ["new_dau"],
  ]);
});

test("whether a unit is new is decided by all events that are stored", () => {
  expect(MAX_HISTORY_DAYS).toBe(MAX_KEPT_DAYS);
  expect(USER_PLANS.new_dau.preMs).toBe(MAX_KEPT_DAYS * DAY_MS);
});
