import { describe, expect, test } from "vitest";
import { catchViolations } from "../../../test/support/violations.ts";
import { changeExperiment, newExperiment } from "./experiment.ts";
import { restartAsNew, restoreExperiment } from "./experiment-copy.ts";
import { advance, decide } from "./experiment-steps.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "p", operationID: "startExperiment", now: 1000 };
const later = { ...context, now: 2000 };
const groups = [
  { id: "a", name: "A", size: 50 },
  { id: "b", name: "B", size: 50 },
];
const rules = [{ name: "all", passPercentage: 100, conditions: [{ type: "public" as const }] }];
const created = newExperiment(
  { name: "color", groups, allocation: 1, targetingGateID: "gate", inlineTargetingRules: rules },
  undefined,
  context,
);
const active = advance(created, "start", undefined, context);

describe("restoreExperiment", () => {
  test("restores the settings and keeps the lifecycle fields", () => {
    const running = { ...changeExperiment(active, { description: "now", allocation: 2, tags: ["x"] }, undefined, later) };
    const restored = restoreExperiment(running, created, undefined, { ...later, now: 3000 });
    const kept = { status: running.status, startTime: running.startTime, salt: running.salt, userBuckets: active.userBuckets };
    expect(restored).toEqual({ ...created, ...kept, version: 4, lastModifiedTime: 3000 });
  });

  test("is checked like a change", () => {
    const { groups: _, ...other } = created;
    const version = { ...other, groups: [{ ...created.groups[0], id: "a", name: "A", size: 100 }], controlGroupID: "a" };
    expect(catchViolations(() => restoreExperiment(active, version, undefined, later))).toEqual([
      { property: "groups[0].size", errorMessage: "cannot change from 50 to 100 while the experiment is active" },
      { property: "groups", errorMessage: "must keep B while the experiment is active" },
    ]);
  });
});

test("a copy is in setup with new lifecycle fields and keeps the group IDs", () => {
  const decided = decide(active, { id: "b", decisionReason: "Better." }, later);
  const copy = restartAsNew(decided, { name: "Color again" }, later);
  const { salt, ...rest } = copy;
  expect(salt).not.toBe(decided.salt);
  expect({ ...rest, salt: created.salt }).toEqual({
    ...created,
    id: "color_again",
    name: "Color again",
    createdTime: 2000,
    lastModifiedTime: 2000,
  });
});

test("a copy keeps the owner and the team, unless it is given others", () => {
  const ada = { ownerID: "ada" };
  const owned = { ...created, team: "Web", teamID: "team_web", owner: ada };
  const copy = (given: object) => {
    const { team, teamID, owner } = restartAsNew(owned, { name: "again", ...given }, later);
    return { team, teamID, owner };
  };
  expect(copy({})).toEqual({ team: "Web", teamID: "team_web", owner: ada });
  expect(copy({ owner: null })).toEqual({ team: "Web", teamID: "team_web", owner: null });
  expect(copy({ teamID: "team_app" })).toEqual({ team: null, teamID: "team_app", owner: ada });
  expect(copy({ team: "App" })).toEqual({ team: "App", teamID: null, owner: ada });
});
