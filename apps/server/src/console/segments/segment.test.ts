import { expect, test } from "vitest";
import { segmentIdentifier } from "./segment.ts";

test.each([
  ["beta_testers", "beta_testers"],
  ["Beta-Testers", "Beta-Testers"],
  ["Rule Based Segment", "rule_based_segment"],
])("a segment named %s has the id %s", (name, id) => {
  expect(segmentIdentifier(name)).toBe(id);
});
