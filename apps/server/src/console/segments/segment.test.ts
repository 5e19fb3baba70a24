import { expect, test } from "vitest";
import { segmentId } from "./segment.ts";

test.each([
  ["beta_testers", "beta_testers"],
  ["Beta-Testers", "Beta-Testers"],
  ["Rule Based Segment", "rule_based_segment"],
])("segmentId: %s is %s", (name, id) => {
  expect(segmentId(name)).toBe(id);
});
