import { expect, test } from "vitest";
import { fieldName, plainValue } from "./field-words.ts";
import { toText } from "./parts.ts";

test.each([
  ["isEnabled", "Enabled"],
  ["launchedGroupID", "Winning group"],
  ["rules[0].passPercentage", "Rule 1 › pass percentage"],
  ["parameters[1].defaultValue", "Parameter 2 › default value"],
  ["permissions.manage_roles", "Permissions › manage roles"],
  ["rules[1].pendingAutomatedRollouts", "Rule 2 › scheduled rollout"],
  ["tags", "Tags"],
  ["defaultValue.standard_days", "Default value › `standard_days`"],
  ["rules[0].returnValue.limits.max_days", "Rule 1 › return value › `limits.max_days`"],
])("the field %s is called %s", (path, name) => {
  expect(fieldName(path)).toBe(name);
});

test.each<[string, unknown, string]>([
  ["endTime", null, "none"],
  ["endTime", 1_795_695_540_000, "Nov 26, 2026, 12:19 UTC"],
  ["status", "decision_made", "Decided"],
  ["status", "In Progress", "In Progress"],
  ["allocation", 12.5, "12.5%"],
  ["groups[0].size", 50, "50%"],
  ["duration", 14, "14"],
  ["isPermanent", false, "no"],
  ["launchedGroupID", "g1", "Green"],
  ["groupIDs", ["g1", "g2"], "Green, g2"],
  ["gateIDs", [], "none"],
  ["rules[0].pendingAutomatedRollouts", [{ time: 1_795_695_540_000, passPercent: 50 }], "50% on Nov 26, 2026, 12:19 UTC"],
  [
    "funnelEventList",
    [
      { name: "view", type: "event_dau" },
      { name: "buy", type: "event_dau", criteria: [] },
    ],
    "view → buy",
  ],
  ["metricEvents", [{ name: "buy", type: "sum", criteria: ["a"] }], '[{"name":"buy","type":"sum","criteria":["a"]}]'],
  ["reviewSettings", { requiredReview: true }, '{"requiredReview":true}'],
])("the value of %s, %j, reads %s", (field, given, words) => {
  expect(toText([plainValue(field, given, { g1: "Green" })])).toBe(words);
});
