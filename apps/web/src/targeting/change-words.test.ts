import { expect, test } from "vitest";
import { changedEnvironments, changeWords } from "./change-words.ts";
import { statesOf } from "./entity-states.ts";
import { toText } from "./parts.ts";
import type { EntityChange } from "./types.ts";

const rule = (name: string, passPercentage: number, more: object = {}) => ({
  ...{ id: name, baseID: name, name, passPercentage, conditions: [], environments: null },
  ...more,
});
const gate = {
  id: "checkout",
  isEnabled: true,
  rules: [rule("Staff", 100), rule("Supported countries", 5, { environments: ["staging"] })],
};

const change = (entityType: string, fields: EntityChange["fields"]): EntityChange => ({ entityType, entityID: "checkout", fields });
const raised = change("gate", [{ field: "rules[1].passPercentage", before: 5, after: 100 }]);

const words = (...given: Parameters<typeof changeWords>) =>
  changeWords(...given).flatMap(({ changes }) => changes.map(({ parts }) => toText(parts)));

test("a change of a rule names the rule, whether the entity is known before or after it", () => {
  const after = { ...gate, rules: [gate.rules[0], { ...gate.rules[1], passPercentage: 100 }] };
  for (const entity of [gate, after]) expect(words(raised, { entity })).toEqual(["Rule “Supported countries”: passes 5% → 100%"]);
});

test("a change of an entity in neither state is described by field", () => {
  const other = { ...gate, rules: [rule("Staff", 100), rule("Other", 50)] };
  expect(statesOf(raised.fields, other)).toBeUndefined();
  expect(words(raised, { entity: other })).toEqual(["Rule 2 › pass percentage: 5% → 100%"]);
  expect(words(raised)).toEqual(["Rule 2 › pass percentage: 5% → 100%"]);
});

test("the environments of changed rules are named", () => {
  const all = ["development", "staging", "production"];
  expect(changedEnvironments(raised, { entity: gate }, all)).toBe("staging");
  expect(changedEnvironments(raised, undefined, all)).toBeUndefined();
  const creation = change("gate", [{ field: "rules", before: null, after: gate.rules }]);
  expect(changedEnvironments(creation, undefined, all)).toBe("all environments (development, staging, and production)");
});

test("fields of groups, steps and other items name the item", () => {
  const experiment = {
    groups: [
      { id: "g1", name: "Control", size: 50 },
      { id: "g2", name: "Green", size: 30 },
    ],
  };
  const resized = change("experiment", [{ field: "groups[1].size", before: 30, after: 50 }]);
  expect(words(resized, { entity: experiment })).toEqual(["Group “Green”: size 30% → 50%"]);
});

test("the start of an experiment is one sentence, and its other changes follow", () => {
  const started = change("experiment", [
    { field: "status", before: "setup", after: "active" },
    { field: "startTime", before: null, after: 1 },
    { field: "hypothesis", before: "", after: "More sales" },
  ]);
  expect(words(started)).toEqual(["The experiment starts now.", "Hypothesis: none → More sales"]);
});

test("names of callers that look like paths are found", () => {
  const config = { defaultValue: { "a.b": { "c[0]": 1 } } };
  const fields = [{ field: "defaultValue.a.b.c[0]", before: 1, after: 2 }];
  expect(statesOf(fields, config)?.after).toEqual({ defaultValue: { "a.b": { "c[0]": 2 } } });
});

test("people, teams and groups are named instead of their IDs", () => {
  const moved = change("experiment", [{ field: "layerID", before: "l1", after: "l2" }]);
  expect(words(moved, undefined, { l1: "Home page", l2: "Checkout" })).toEqual(["Layer: Home page → Checkout"]);
});

test("the first overrides of a gate are named, from the lists that the creation has", () => {
  const created = change("gate_overrides", [
    { field: "passingUserIDs", before: null, after: ["ada"] },
    { field: "failingUserIDs", before: null, after: [] },
  ]);
  const lists = { passingUserIDs: ["ada"], failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [], environmentOverrides: [] };
  expect(words(created, { entity: lists })).toEqual(["Always pass in all environments (users): + ada"]);
});

test("the parameters of a new param store are described in words", () => {
  const parameters = [{ name: "wide", ref_type: "static", param_type: "boolean", value: true }];
  const fields = [
    { field: "id", before: null, after: "checkout" },
    { field: "parameters", before: null, after: parameters },
  ];
  expect(words(change("param_store", fields))[0]).toBe("Parameter “wide” added: always true (type: true or false)");
});

test("the type of a metric is named as in the metric's form", () => {
  expect(words(change("metric", [{ field: "type", before: "sum", after: "event_count_custom" }]))).toEqual([
    "Type: Sum of a number → Count of events",
  ]);
});
