import { expect, test } from "vitest";
import { describeArchive, describeReach, describeReset, describeShipping, describeStart, describeUnarchive } from "./shipping-words.ts";

const everyone = { targetingGateID: null, inlineTargetingRules: [], layerID: null };
const byGate = { ...everyone, targetingGateID: "web" };
const byRules = { ...everyone, inlineTargetingRules: [{ name: "Web", passPercentage: 100, conditions: [] }] };

const TO_TARGETED = "Users who pass the targeting get this group’s values, and the experiment ends.";
const TO_EVERYONE = "Everyone outside holdouts gets this group’s values, and the experiment ends.";

test.each([
  ["without targeting", everyone, false, TO_EVERYONE, "everyone"],
  ["with a targeting gate", byGate, false, TO_TARGETED, "users who pass the targeting"],
  ["with targeting rules", byRules, false, TO_TARGETED, "users who pass the targeting"],
  ["with targeting that the decision removes", byGate, true, TO_EVERYONE, "users who pass the targeting"],
] as const)("names the users who get a group that is shipped %s", (_, experiment, removesTargeting, shipping, reach) => {
  expect(describeShipping({ ...experiment, inlineTargetingRules: [...experiment.inlineTargetingRules] } as never, removesTargeting)).toBe(
    shipping,
  );
  expect(describeReach({ ...experiment, inlineTargetingRules: [...experiment.inlineTargetingRules] } as never)).toBe(reach);
});

test("a group that is shipped in a layer reaches everyone, despite its targeting", () => {
  const inLayer = { ...byGate, layerID: "checkout" };
  expect(describeShipping(inLayer, false)).toMatch(
    /^The values of this group become the defaults of the layer checkout, so everyone gets them\./,
  );
  expect(describeReach(inLayer)).toBe("everyone");
});

const run = { layerID: null, statusBeforeArchive: null };

test("a start says how many users take part, and what they get", () => {
  const groups = [
    { name: "Control", size: 60 },
    { name: "Green", size: 40 },
  ];
  const split = { ...run, allocation: 50, groups, duration: 28, targetingGateID: null, inlineTargetingRules: [] };
  expect(describeStart(split as never)).toBe(
    "50% of users take part. Of them, 60% get Control, 40% get Green. Planned for 28 days. You can’t add, remove, or resize groups while the experiment is running.",
  );
  expect(describeStart({ ...split, layerID: "checkout", targetingGateID: "beta" } as never)).toMatch(
    /^50% of the users in the layer checkout who pass the targeting take part\. /,
  );
});

test("archiving and a reset say what users lose", () => {
  const decided = { ...run, status: "decision_made" } as const;
  expect(describeArchive(decided)).toMatch(/^Users no longer get the shipped group’s values: apps use the defaults in their code\. /);
  expect(describeArchive({ ...decided, layerID: "checkout" })).toBe("You can’t change it until you unarchive it.");
  expect(describeArchive({ ...run, status: "assignment_stopped" })).toMatch(
    /^The experiment ends, and users no longer get their group’s values\. /,
  );
  expect(describeUnarchive({ ...run, status: "archived", statusBeforeArchive: "decision_made" })).toMatch(
    /users get the shipped group’s values again/,
  );
  expect(describeReset(decided)).toMatch(/^Users no longer get the shipped group’s values\. The experiment’s dates, /);
  expect(describeReset({ ...run, status: "active" })).toMatch(/^The experiment stops, and users no longer get their group’s values\. /);
  expect(describeReset({ ...run, status: "abandoned" })).toMatch(/^The experiment’s dates, decision/);
});
