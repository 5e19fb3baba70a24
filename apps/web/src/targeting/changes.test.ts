import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyRules } from "./arbitrary.ts";
import { type Change, describeChanges, describeContent } from "./changes.ts";
import { type Flag, flagChanges } from "./entity-changes.ts";
import { toText } from "./parts.ts";
import { ruleChanges } from "./rule-changes.ts";
import { matchRules, movedRules } from "./rule-matching.ts";
import type { Condition, Rule } from "./types.ts";

/** Aug 1, 2026, 12:30 UTC. */
const NOON = 1_785_587_400_000;

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  id: name,
  baseID: name,
  name,
  passPercentage: 10,
  conditions: [],
  environments: null,
  ...more,
});
const words = (changes: readonly Change[]) => changes.map(({ kind, field, parts }) => `${kind} ${field}: ${toText(parts)}`);
const changed = (before: Partial<Rule>, after: Partial<Rule>) =>
  ruleChanges([rule("Staff", before)], [rule("Staff", after)]).map(({ parts }) => toText(parts));

describe("ruleChanges", () => {
  test("finds no changes in equal rules, even with fields that the server fills in", () => {
    const before = rule("A", { environments: [] });
    const after = rule("A", { environments: null, isEnabled: true, pendingAutomatedRollouts: [], completedAutomatedRollouts: [] });
    expect(ruleChanges([before], [after])).toEqual([]);
  });

  test("tells a move from changes: rules are the same if their ids are", () => {
    const [a, b, c] = [rule("A"), rule("B"), rule("C")];
    expect(words(ruleChanges([a, b, c], [b, c, a]))).toEqual(["moved rules[2]: Rule “A” moved from 1 to 3"]);
    expect(words(ruleChanges([a, b, c], [b, { ...a, passPercentage: 50 }, c]))).toEqual([
      "moved rules[0]: Rule “B” moved from 2 to 1",
      "changed rules[1].passPercentage: Rule “A”: passes 10% → 50%",
    ]);
  });

  test("says what was added and removed, with its sentence; what only shifts is not moved", () => {
    const beta = rule("Beta", { id: "new", baseID: "new", conditions: [{ type: "country", operator: "any", targetValue: ["NO"] }] });
    expect(words(ruleChanges([rule("Old"), rule("Stays")], [beta, rule("Stays")]))).toEqual([
      "added rules[0]: Rule “Beta” added: If Country is any of NO: 10% of users pass.",
      "removed rules[0]: Rule “Old” removed: Everyone: 10% of users pass.",
    ]);
  });

  test("says everything that a new rule has: its schedule, its value and its variants", () => {
    const pendingAutomatedRollouts = [
      { time: NOON, passPercent: 50 },
      { time: NOON + 3_600_000, passPercent: 100 },
    ];
    expect(words(ruleChanges([], [rule("Beta", { pendingAutomatedRollouts })]))).toEqual([
      "added rules[0]: Rule “Beta” added: Everyone: 10% of users pass.",
      "added rules[0].pendingAutomatedRollouts: Rule “Beta”: scheduled to pass 50% on Aug 1, 2026, 12:30 UTC, 100% on Aug 1, 2026, 13:30 UTC",
    ]);
    const valued = ruleChanges([], [rule("Beta", { returnValueJson5: "{a: 1}", returnValue: { a: 1 } })], { outcome: "value" });
    expect(valued.map(({ field, diff }) => [field, diff])).toEqual([
      ["rules[0]", undefined],
      ["rules[0].returnValueJson5", { before: "", after: "{a: 1}" }],
    ]);
    const variants = [{ name: "A", passPercentage: 100, returnValue: { a: 1 }, returnValueJson5: "{a: 1}" }];
    expect(ruleChanges([], [rule("Beta", { variants })], { outcome: "value" }).at(-1)?.diff).toEqual({ before: "", after: "{a: 1}" });
  });

  test("shows what a condition has beside its type, which only programs can set", () => {
    const odd: Condition = { type: "public", field: "plan" };
    expect(changed({ conditions: [] }, { conditions: [odd] })).toEqual([
      'Rule “Staff”: condition added: Everyone (not read: field "plan")',
    ]);
  });

  test("finds a rule by its base id if its id changed, and by neither if it is new", () => {
    expect(words(ruleChanges([rule("A")], [rule("A", { id: "other" })]))).toEqual([]);
    const draft = { name: "A", passPercentage: 10, conditions: [] };
    expect(ruleChanges([rule("A")], [draft]).map(({ kind }) => kind)).toEqual(["added", "removed"]);
  });

  const toHalf = [{ time: NOON, passPercent: 50 }];

  test.each<[Partial<Rule>, Partial<Rule>, string[]]>([
    [{}, { name: "Employees" }, ["Rule “Staff”: renamed to “Employees”"]],
    [{}, { isEnabled: false }, ["Rule “Staff”: switched off"]],
    [{ isEnabled: false }, {}, ["Rule “Staff”: switched on"]],
    [{ environments: null }, { environments: ["staging"] }, ["Rule “Staff”: in all environments → only in staging"]],
    [{ environments: ["a", "b"] }, { environments: ["b", "c"] }, ["Rule “Staff”: environments + c, − a"]],
    [{ environments: ["a", "b"] }, { environments: ["b", "a"] }, ["Rule “Staff”: environments in another order"]],
    [{}, { pendingAutomatedRollouts: toHalf }, ["Rule “Staff”: scheduled to pass 50% on Aug 1, 2026, 12:30 UTC"]],
    [{ pendingAutomatedRollouts: [{ time: 1, passPercent: 2 }] }, {}, ["Rule “Staff”: no scheduled rollouts any more"]],
  ])("from %j to %j", (before, after, expected) => {
    expect(changed(before, after)).toEqual(expected);
  });

  const countries = (...targetValue: string[]): Condition => ({ type: "country", operator: "any", targetValue });
  const gate: Condition = { type: "passes_gate", targetValue: "beta" };

  test.each<[Condition[], Condition[], string[]]>([
    [[], [gate], ["Rule “Staff”: condition added: User passes gate beta"]],
    [[gate, countries("NO")], [countries("NO")], ["Rule “Staff”: condition removed: User passes gate beta"]],
    [
      [countries("NO", "DK")],
      [gate, countries("DK", "SE", "FI")],
      ["Rule “Staff”: condition added: User passes gate beta", "Rule “Staff”: condition Country is any of: + SE, FI, − NO"],
    ],
    [
      [countries("NO")],
      [{ ...countries("NO"), operator: "none" }],
      ["Rule “Staff”: condition Country is any of NO → Country is none of NO"],
    ],
    [[gate, countries("NO")], [countries("NO"), gate], ["Rule “Staff”: conditions in another order"]],
  ])("conditions from %j to %j", (before, after, expected) => {
    expect(changed({ conditions: before }, { conditions: after })).toEqual(expected);
  });

  test("keeps the texts of a value for a diff, even if only the text differs", () => {
    const before = rule("A", { returnValue: { a: 1 }, returnValueJson5: "{a: 1}" });
    const [edited] = ruleChanges([before], [{ ...before, returnValue: { a: 2 }, returnValueJson5: "{a: 2}" }]);
    expect(edited).toMatchObject({ field: "rules[0].returnValueJson5", diff: { before: "{a: 1}", after: "{a: 2}" } });
    expect(edited && toText(edited.parts)).toBe('Rule “A”: value {"a":1} → {"a":2}');
    expect(ruleChanges([before], [{ ...before, returnValueJson5: "{a: 1} // one" }])[0]?.diff?.after).toBe("{a: 1} // one");
  });

  test("names the variants that came, went and changed", () => {
    const variant = (name: string, passPercentage: number, id = name) => ({ id, name, passPercentage, returnValue: { name } });
    expect(
      changed(
        { variants: [variant("A", 50), variant("B", 30), variant("C", 20)] },
        { variants: [variant("B", 50), variant("Z", 20, "C"), variant("New", 30, "")] },
      ),
    ).toEqual([
      "Rule “Staff”: variant 30% B → 50% B",
      "Rule “Staff”: variant 20% C → 20% Z",
      "Rule “Staff”: variant added: 30% New",
      "Rule “Staff”: variant removed: 50% A",
    ]);
    expect(changed({ variants: [variant("A", 50), variant("B", 50)] }, { variants: [variant("B", 50), variant("A", 50)] })).toEqual([
      "Rule “Staff”: variants in another order",
    ]);
  });

  test("of any two lists, finds nothing only if they are equal, and moves as few rules as possible", () => {
    const permuted = anyRules({ stored: true }).chain((rules) =>
      fc.tuple(fc.constant(rules), fc.shuffledSubarray(rules, { minLength: rules.length })),
    );
    fc.assert(
      fc.property(permuted, anyRules({ stored: true }), ([rules, order], others) => {
        expect(ruleChanges(rules, rules)).toEqual([]);
        expect(ruleChanges(rules, others).length > 0).toBe(JSON.stringify(rules) !== JSON.stringify(others));
        const { matched } = matchRules(rules, order);
        const moved = movedRules(matched);
        const rest = matched.filter((match) => !moved.includes(match)).map(({ from }) => from);
        expect(rest).toEqual(rest.toSorted((a, b) => a - b));
        expect(rest.length).toBe(longestBySearch(matched.map(({ from }) => from)));
      }),
    );
  });
});

/** The length of the longest increasing subsequence, found by trying all. */
function longestBySearch([first, ...rest]: number[], above = -1): number {
  if (first === undefined) return 0;
  const without = longestBySearch(rest, above);
  return first > above ? Math.max(without, 1 + longestBySearch(rest, first)) : without;
}

describe("flagChanges", () => {
  const gate: Flag = { rules: [], isEnabled: true, status: "In Progress", tags: ["old", "kept"], description: "One.", idType: "userID" };

  test("tells names that came and went, texts to compare, and values", () => {
    const after: Flag = {
      ...gate,
      tags: ["kept", "checkout"],
      description: "Two.",
      type: "PERMANENT",
      isTemplate: true,
      team: "Core",
      teamID: "core",
      monitoringMetrics: [{ name: "clicks", type: "event_count_custom" }],
    };
    const changes = flagChanges(gate, after);
    expect(words(changes)).toEqual([
      "changed description: Description changed",
      "changed tags: Tags: + checkout, − old",
      "changed type: Type: none → Permanent",
      "changed isTemplate: Template: none → yes",
      "changed team: Team: none → Core",
      "changed monitoringMetrics: Monitoring metrics: + clicks (event count custom)",
    ]);
    expect(changes[0]?.diff).toEqual({ before: "One.", after: "Two." });
  });

  test("a switch implies the status, but launching and archiving are described", () => {
    expect(words(flagChanges(gate, { ...gate, isEnabled: false, status: "Disabled" }))).toEqual(["changed isEnabled: Switched off"]);
    expect(words(flagChanges(gate, { ...gate, status: "Launched" }))).toEqual(["changed status: Status: In Progress → Launched"]);
    expect(words(flagChanges(gate, { ...gate, isEnabled: false, status: "Archived" }))).toEqual([
      "changed isEnabled: Switched off",
      "changed status: Status: In Progress → Archived",
    ]);
  });

  test("leaves out what the server counts and stamps", () => {
    expect(
      flagChanges({ ...gate, version: 1, checksPerHour: 3 }, { ...gate, version: 2, checksPerHour: 9, lastModifierName: "Ann" }),
    ).toEqual([]);
  });

  test("a dynamic config has the texts of its default value and schema for a diff", () => {
    const config: Flag = { rules: [], defaultValue: { a: 1 }, defaultValueJson5: "{a: 1}", schema: null, schemaJson5: null };
    const after: Flag = { ...config, defaultValue: { a: 2 }, defaultValueJson5: "{a: 2}", schema: "{}", schemaJson5: "{ }" };
    expect(flagChanges(config, after, { outcome: "value" }).map(({ field, diff }) => [field, diff])).toEqual([
      ["defaultValueJson5", { before: "{a: 1}", after: "{a: 2}" }],
      ["schemaJson5", { before: "", after: "{ }" }],
    ]);
  });
});

describe("describeChanges", () => {
  const flag: Flag = { rules: [rule("A"), rule("B")], tags: [] };

  test("reads the changes of what the page knows from before and after, and of others from the dry run", () => {
    const after: Flag = { rules: [rule("B"), rule("A")], tags: ["checkout"] };
    const described = describeChanges(
      [
        { entityType: "tag", entityID: "checkout", fields: [{ field: "id", before: null, after: "checkout" }] },
        { entityType: "gate", entityID: "new", fields: [{ field: "rules[0].name", before: "A", after: "B" }] },
        { entityType: "holdout", entityID: "h", fields: [{ field: "gateIDs", before: ["new"], after: [] }] },
        { entityType: "segment", entityID: "s", fields: [{ field: "id", before: "s", after: null }] },
      ],
      [{ type: "gate", id: "new", before: flag, after }],
    );
    expect(described.map(({ title, changes }) => [toText(title), words(changes)])).toEqual([
      ["Gate “new”", ["moved rules[0]: Rule “B” moved from 2 to 1", "changed tags: Tags: + checkout"]],
      ["Tag “checkout”", ["added : Created"]],
      ["Holdout “h”", ["changed gateIDs: Gate IDs: new → none"]],
      ["Segment “s”", ["removed : Deleted"]],
    ]);
  });

  test("leaves out a known entity that stays as it is", () => {
    expect(describeChanges([], [{ type: "dynamic_config", id: "banner", before: flag, after: { ...flag, version: 9 } }])).toEqual([]);
  });
});

test("describeContent tells what a new entity has, and of others what changes", () => {
  const fields = [
    { field: "id", before: null, after: "spring" },
    { field: "name", before: null, after: "Spring" },
    { field: "description", before: null, after: "" },
    { field: "type", before: null, after: "PERMANENT" },
    { field: "isEnabled", before: null, after: true },
    { field: "isTemplate", before: null, after: false },
    { field: "tags", before: null, after: ["web", "spring"] },
    { field: "team", before: null, after: "Payments" },
    { field: "teamID", before: null, after: "t1" },
    { field: "owner", before: null, after: { ownerID: "u1", ownerName: "Ada", ownerEmail: "ada@example.com", ownerType: "USER" } },
    { field: "monitoringMetrics", before: null, after: [{ name: "crashes", type: "count" }] },
    { field: "disabledEnvironments", before: null, after: ["staging"] },
    { field: "version", before: null, after: 1 },
    { field: "typeReason", before: null, after: "SET_BY_USER" },
    { field: "rules", before: null, after: [rule("Everyone", { passPercentage: 20 })] },
  ];
  expect(words(describeContent({ entityType: "gate", entityID: "spring", fields }).changes)).toEqual([
    "added : Created",
    "added rules[0]: Rule “Everyone” added: Everyone: 20% of users pass.",
    "changed disabledEnvironments: Turned off in staging",
    "added isEnabled: Switched on",
    "added tags: Tags: web and spring",
    "added type: Type: Permanent",
    "added team: Team: Payments",
    "added owner: Owner: Ada",
    "changed monitoringMetrics: Monitoring metrics: + crashes (count)",
  ]);
  const held = { entityType: "gate", entityID: "held", fields: [{ field: "holdoutIDs", before: [], after: ["h"] }] };
  expect(words(describeContent(held).changes)).toEqual(["changed holdoutIDs: Holdouts: none → h"]);
});

test("an entity whose only change gives a field its first value, or takes it away, is neither created nor deleted", () => {
  const team = (before: unknown, after: unknown) => ({ entityType: "metric", entityID: "m", fields: [{ field: "team", before, after }] });
  const given = [team(null, "Payments"), team("Payments", null)];
  const expected = [["changed team: Team: none → Payments"], ["changed team: Team: Payments → none"]];
  expect(given.map((one) => words(describeContent(one).changes))).toEqual(expected);
  expect(describeChanges(given, []).map(({ changes }) => words(changes))).toEqual(expected);
});

test("an added rule lists its environments unless it is for all of the project", () => {
  const all = ["production", "staging"];
  const added = (environments: string[]) => {
    const given = { type: "segment" as const, id: "s", before: segment([]), after: segment([rule("A", { environments })]) };
    return describeChanges([], [given], undefined, all).flatMap(({ changes }) => words(changes));
  };
  expect(added(all)).toEqual(["added rules[0]: Rule “A” added: Everyone: 10% of users are in it."]);
  expect(added(["staging"])).toEqual(["added rules[0]: Rule “A” added: Everyone: 10% of users are in it, only in staging."]);
});

function segment(rules: Rule[]) {
  return { rules, isEnabled: true, idType: "userID", name: "S", description: "", tags: [] };
}
