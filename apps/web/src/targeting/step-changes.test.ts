import { expect, test } from "vitest";
import { withMissingChanges } from "./missing-changes.ts";
import { toText } from "./parts.ts";
import { describeStep } from "./step-changes.ts";

/** Aug 1, 2026, 12:30 UTC. */
const NOON = 1_785_587_400_000;
const NAMES = { WY64: "Green", v1: "Second", v2: "First" };

/** The changes that a review shows, given what the server says. */
function shown(entityType: string, fields: Record<string, [before: unknown, after: unknown]>): string[] {
  const changes = [
    { entityType, entityID: "button", fields: Object.entries(fields).map(([field, [before, after]]) => ({ field, before, after })) },
  ];
  return withMissingChanges(describeStep(changes, NAMES), changes).flatMap((entity) => entity.changes.map(({ parts }) => toText(parts)));
}

const BUCKETS: [unknown, unknown] = [[], [631, 985]];

test.each([
  [
    "start",
    { startTime: [null, NOON], userBuckets: BUCKETS, scheduledStartTime: [NOON, null], status: ["setup", "active"] },
    ["The experiment starts now."],
  ],
  [
    "decision",
    {
      ...{ endTime: [null, NOON], decisionTime: [null, NOON], decisionReason: [null, "More sales."], launchedGroupID: [null, "WY64"] },
      ...{ userBuckets: BUCKETS, status: ["active", "decision_made"] },
    },
    ["The experiment ends now and ships “Green”.", "Reason: More sales."],
  ],
  [
    "decision after the end",
    { launchedGroupID: [null, "WY64"], status: ["experiment_stopped", "decision_made"] },
    ["The experiment ships “Green”."],
  ],
  [
    "stop of the enrollment",
    { assignmentStopTime: [null, NOON], status: ["active", "assignment_stopped"] },
    ["The experiment stops enrolling new users now."],
  ],
  [
    "abandonment",
    { endTime: [null, NOON], decisionReason: [null, ""], targetingGateID: ["beta", null], status: ["active", "abandoned"] },
    ["The experiment ends now without a winner.", "Targeting gate: beta → none"],
  ],
  [
    "reset",
    {
      ...{
        resetTime: [null, NOON],
        startTime: [NOON, null],
        endTime: [NOON, null],
        decisionTime: [NOON, null],
        decisionReason: ["Sales.", null],
      },
      ...{ launchedGroupID: ["WY64", null], salt: ["a", "b"], status: ["decision_made", "setup"] },
    },
    ["The experiment returns to setup and no longer ships “Green”.", "The reason for the decision is deleted."],
  ],
  ["archiving", { statusBeforeArchive: [null, "setup"], status: ["setup", "archived"] }, ["The experiment is archived."]],
  [
    "unarchiving",
    { statusBeforeArchive: ["setup", null], status: ["archived", "setup"] },
    ["The experiment is unarchived. Its status is In setup again."],
  ],
  ["schedule", { scheduledStartTime: [null, NOON] }, ["The experiment starts on Aug 1, 2026, 12:30 UTC."]],
  ["removed schedule", { scheduledStartTime: [NOON, null] }, ["The scheduled start is removed."]],
] as [string, Record<string, [unknown, unknown]>, string[]][])(
  "describes the %s of an experiment in sentences, without the fields that follow from it",
  (_, fields, sentences) => {
    expect(shown("experiment", fields)).toEqual(sentences);
  },
);

test("the steps of an autotune are said in sentences, and its deletion stays one", () => {
  expect(shown("autotune", { isStarted: [false, true], startTime: [null, NOON] })).toEqual(["The autotune starts now."]);
  expect(
    shown("autotune", { winner: [null, { id: "b", name: "B" }], decisionTime: [null, NOON], decisionReason: [null, "Best."] }),
  ).toEqual(["The autotune ends now and ships “B”.", "Reason: Best."]);
  expect(
    shown("autotune", { isStarted: [true, false], startTime: [NOON, null], winner: [{ id: "b", name: "B" }, null], salt: ["a", "b"] }),
  ).toEqual(["The autotune stops. It starts over when you start it again."]);
  expect(shown("experiment", { id: ["button", null], status: ["setup", null] })).toEqual(["Deleted"]);
  expect(shown("layer", { "parameters[0].defaultValue": ["red", "green"] })).toEqual(["Parameter 1 › default value: red → green"]);
});

test("the review of a prompt's live version names the versions", () => {
  const live = (before: string | null, after: string | null) => shown("prompt", { liveVersionID: [before, after] });
  expect(live(null, "v1")).toEqual(["“Second” becomes the live version."]);
  expect(live("v1", "v2")).toEqual(["“First” replaces “Second” as the live version."]);
  expect(live("v2", null)).toEqual(["“First” is no longer the live version."]);
});
