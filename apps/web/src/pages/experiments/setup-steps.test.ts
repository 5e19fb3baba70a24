import { expect, test } from "vitest";
import { checklist } from "./checklist.ts";
import type { Fields } from "./experiment-draft.ts";
import { setupSteps, setupSummary } from "./setup-steps.ts";

const group = (name: string, size: number, values: string) => ({ id: name, name, size, values, description: "" });
const fields = {
  ...{ hypothesis: "Green sells.", allocation: 50, duration: 28, targetingGateID: null, secondaryMetrics: [] },
  groups: [group("Control", 50, "{ color: 'blue' }"), group("Green", 50, "{ color: 'green' }")],
  primaryMetrics: [{ name: "Revenue", type: "sum" }],
} as unknown as Fields;
const levels = (given: Fields) => Object.fromEntries(setupSteps(checklist(given)).map(({ id, level }) => [id, level]));

test("duration comes right after the metrics that it depends on", () => {
  expect(setupSteps([]).map(({ title }) => title)).toEqual(["Hypothesis", "Groups", "Metrics", "Duration", "Audience and allocation"]);
});

test("a step is done once all of its checks are, and otherwise says only what it lacks, the worst deciding", () => {
  expect(levels(fields)).toEqual({ hypothesis: "done", groups: "done", metrics: "done", audience: "done", duration: "done" });
  const alike = { ...fields, hypothesis: " ", duration: 3, groups: [group("Control", 50, "{}"), group("Green", 40, "{}")] };
  expect(levels(alike)).toMatchObject({ hypothesis: "missing", groups: "missing", audience: "done", duration: "risky" });
  expect(setupSteps(checklist(alike))[1]).toEqual({
    ...{ id: "groups", title: "Groups", level: "missing" },
    texts: ["Make the group sizes add up to 100%.", "Set different values for the groups. They’re all the same now."],
  });
  const needs = [{ metric: "Revenue", effect: 2, days: 40 }];
  expect(setupSteps(checklist(fields, needs))[3]).toMatchObject({
    level: "risky",
    texts: ["Plan at least 40 days to detect a change of 2% in Revenue. 28 days is too short."],
  });
});

test("the summary says who takes part, for how long, what they get, and what decides", () => {
  expect(setupSummary(fields, null)).toBe(
    "50% of users take part. Of them, 50% get Control (color: blue) and 50% get Green (color: green). Planned for 28 days. The decision is based on Revenue.",
  );
  const guarded = { name: "Errors", type: "event_user", guardrail: { mostHarm: 5 } };
  const long = group("Green", 50, `{ text: '${"x".repeat(40)}' }`);
  const given = {
    ...fields,
    targetingGateID: "beta",
    groups: [group("Control", 50, "{"), long],
    primaryMetrics: [],
    secondaryMetrics: [guarded],
  };
  expect(setupSummary(given as unknown as Fields, "checkout")).toBe(
    "50% of users in the layer checkout who pass the gate beta take part. Of them, 50% get Control and 50% get Green. Planned for 28 days. No primary metric yet. You’ll get an alert if Errors gets worse.",
  );
});
