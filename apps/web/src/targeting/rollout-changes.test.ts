import { describe, expect, test } from "vitest";
import { mayChangeRollouts, rolloutChanges } from "./rollout-changes.ts";
import type { EntityChange, Rollout, Rule } from "./types.ts";

const step = (time: number, passPercent: number): Rollout => ({ time, passPercent });
const rule = (id: string, steps?: Rollout[]): Rule => ({
  ...{ id, name: id.toUpperCase(), passPercentage: 10, conditions: [] },
  ...(steps && { pendingAutomatedRollouts: steps }),
});
const field = (path: string, before: unknown, after: unknown): EntityChange["fields"][number] => ({ field: path, before, after });

describe("rolloutChanges", () => {
  test("has the proposed schedule beside the one before, as far as single fields change it", () => {
    const [first, second] = [rule("a", [step(1, 20)]), rule("b", [step(1, 20), step(2, 50)])];
    const fields = [
      field("rules[1].passPercentage", 10, 5),
      field("rules[1].conditions[0].targetValue", "a", "b"),
      field("rules[1].pendingAutomatedRollouts[1].passPercent", 50, 80),
    ];
    expect(rolloutChanges([first, second], fields)).toEqual([
      { before: second, after: { ...rule("b", [step(1, 20), step(2, 80)]), passPercentage: 5 } },
    ]);
  });

  test("has schedules of new rules and of rules without one, and none that stays or goes", () => {
    const [kept, removed] = [rule("a", [step(1, 20)]), rule("b", [step(1, 20)])];
    const [scheduled, added] = [rule("c", [step(3, 30)]), rule("d", [step(4, 40)])];
    const rules = [scheduled, kept, rule("b"), added];
    expect(rolloutChanges([kept, removed, rule("c")], [field("rules", [], rules)])).toEqual([
      { before: rule("c"), after: scheduled },
      { before: undefined, after: added },
    ]);
    expect(rolloutChanges([kept], [field("rules[0].pendingAutomatedRollouts", [step(1, 20)], null)])).toEqual([]);
    expect(rolloutChanges([kept], [field("rules", [kept], null)])).toEqual([]);
  });
});

test("only changes to schedules, rules or all rules of gates and dynamic configs may change a rollout", () => {
  const may = (path: string, entityType = "gate") => mayChangeRollouts({ entityType, fields: [field(path, 1, 2)] });
  expect(["rules", "rules[0]", "rules[10].pendingAutomatedRollouts[0].time"].map((path) => may(path))).toEqual([true, true, true]);
  expect(["rules[0].passPercentage", "rulesText", "name"].map((path) => may(path))).toEqual([false, false, false]);
  expect([may("rules", "dynamic_config"), may("rules", "segment")]).toEqual([true, false]);
});
