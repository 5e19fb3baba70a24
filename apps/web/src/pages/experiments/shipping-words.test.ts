import { expect, test } from "vitest";
import { describeReach, describeShipping } from "./shipping-words.ts";

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
