import { expect, test } from "vitest";
import { isDecisionEarly, usualWinner } from "./steps.ts";

const groups = ["control", "blue", "green"].map((id) => ({ id, name: id, size: 33, parameterValues: {} }));
const offered = (...alarmed: string[]) => usualWinner({ groups, controlGroupID: "control" }, new Set(alarmed));

test("the group offered to ship is the first test group without an open alert, and the control group if all have one", () => {
  expect([offered(), offered("blue"), offered("blue", "green")]).toEqual(["blue", "green", "control"]);
});

test("a decision is early before the planned end, unless a group is recommended", () => {
  const run = { status: "active" as const, startTime: 0, duration: 2 };
  const [keep, ship] = [{ recommendation: "keepRunning" }, { recommendation: "ship" }];
  expect([isDecisionEarly(run, [], 1), isDecisionEarly(run, [keep], 1)]).toEqual([true, true]);
  expect([isDecisionEarly(run, [keep, ship], 1), isDecisionEarly(run, [], 2 * 86_400_000)]).toEqual([false, false]);
  expect(isDecisionEarly({ ...run, status: "experiment_stopped" }, [], 1)).toBe(false);
});
