import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { toEffect, toOutcome } from "./list-scores.ts";
import type { Experiment } from "./states.ts";

type Score = Schema<"ExperimentGroupScore">;

const experiment = (given: Partial<Experiment> = {}) => ({
  ...{ status: "active" as const, launchedGroupID: null, groups: ["control", "green", "red"].map((id) => ({ id, name: id, size: 30 })) },
  ...given,
});

const score = (groupID: string, recommendation: Score["recommendation"], change: number, isSignificant: boolean): Score => ({
  ...{ groupID, recommendation },
  primaryMetric: {
    ...{ metricID: "Buyers::event_user", metricName: "Buyers", directionality: "increase", alpha: 0.025, isSignificant },
    ...{ absoluteChange: change / 100, confidenceIntervalDelta: 0.05, percentChange: change, percentInterval: [change - 4, change + 4] },
  },
});

const groups = [score("green", "ship", 9, true), score("red", "dontShip", -12, true)];

test("the list shows the change of the best group, with its metric and the confidence of the interval", () => {
  expect(toEffect(experiment(), groups)).toEqual({
    ...{ change: "+9.0%", interval: "(+5.0% to +13.0%)", verdict: "better", about: "green, Buyers, 97.5% interval" },
  });
  const relativeToNothing = { ...score("green", "keepRunning", 9, false), primaryMetric: { ...groups[0]?.primaryMetric } as never };
  delete (relativeToNothing.primaryMetric as { percentChange?: number }).percentChange;
  expect(toEffect(experiment(), [relativeToNothing])).toMatchObject({ change: "+0.090", interval: "(+0.040 to +0.140)" });
  expect(toEffect(experiment(), [{ groupID: "green", recommendation: "keepRunning" }])).toBeUndefined();
  expect(toEffect(experiment(), [])).toBeUndefined();
});

test("the verdict is the recommendation for that group until a group ships", () => {
  expect(toOutcome(experiment(), groups)).toEqual({ text: "Ship green", tone: "good" });
  expect(toOutcome(experiment(), groups.slice(1))).toEqual({ text: "Don’t ship", tone: "bad" });
  expect(toOutcome(experiment({ status: "decision_made", launchedGroupID: "red" }), groups)).toEqual({ text: "Shipped red", tone: "good" });
  expect(toOutcome(experiment({ status: "abandoned" }), groups)).toBeUndefined();
  expect(toOutcome(experiment(), [])).toBeUndefined();
});
