import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { conflictsIn, mergedDraft } from "../../saving/draft-model.ts";
import { addRule, renameRule, setPassPercentage } from "../../targeting/rule-draft.ts";
import {
  countChanges,
  findFaults,
  type GateDraft,
  gateModel,
  type StoredGate,
  setFields,
  toPatch,
  toPreview,
  toWriteRequests,
} from "./gate-draft.ts";

const RULE = { id: "r1", name: "Staff", passPercentage: 50, conditions: [], environments: null } as Schema<"Gate">["rules"][number];
const GATE = {
  ...{ id: "checkout", name: "Checkout", description: "", idType: "userID", isEnabled: true, status: "In Progress", type: "TEMPORARY" },
  ...{ tags: [], team: null, measureMetricLifts: true, rules: [RULE], version: 3, targetApps: [], holdoutIDs: [] },
} as unknown as Schema<"Gate">;
const OVERRIDES = {
  ...{ passingUserIDs: [], failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [], environmentOverrides: [], version: 1 },
} as unknown as Schema<"OverrideLists">;
const stored = (gate: Partial<Schema<"Gate">> = {}): StoredGate => ({
  ...{ entity: { ...GATE, ...gate }, etag: '"3"', overrides: OVERRIDES, overridesEtag: '"1"' },
});
const createDraft = (given: StoredGate) => gateModel.createDraft(given, gateModel.storedParts(given));
const withShare = (draft: GateDraft, share: number): GateDraft => ({
  ...draft,
  rules: setPassPercentage(draft.rules, draft.rules.items[0]?.key ?? "", share),
});

test("a draft without edits writes nothing", () => {
  const draft = createDraft(stored());
  expect(toWriteRequests(draft)).toEqual([]);
  expect(countChanges(draft)).toBe(0);
});

test("an edit that is taken back writes nothing", () => {
  const draft = withShare(withShare(createDraft(stored()), 75), 50);
  expect(toWriteRequests(setFields(setFields(draft, { description: "New" }), { description: "" }))).toEqual([]);
});

test("a new rule is one change, with or without an audience", () => {
  const draft = createDraft(stored());
  expect(countChanges({ ...draft, rules: addRule(draft.rules, {}) })).toBe(1);
  expect(countChanges({ ...draft, rules: addRule(draft.rules, { needsAudience: true }) })).toBe(1);
});

test("a save writes only the fields that differ, on the version that was read", () => {
  expect(toWriteRequests(setFields(createDraft(stored()), { description: "New" }))).toEqual([
    { operationId: "patchGate", path: { id: "checkout" }, body: { description: "New" }, ifMatch: '"3"' },
  ]);
});

test("a switch of one environment is saved, and one that is taken back changes nothing", () => {
  const draft = createDraft(stored({ disabledEnvironments: ["staging", "production"] }));
  const on = setFields(draft, { disabledEnvironments: [] });
  expect(toPatch(on)).toEqual({ disabledEnvironments: [] });
  expect(countChanges(on)).toBe(2);
  expect(toPatch(setFields(on, { disabledEnvironments: ["production", "staging"] }))).toBeUndefined();
});

test("a preview has the status that follows from the switch", () => {
  const statusOf = (gate: Partial<Schema<"Gate">>, isEnabled: boolean) =>
    toPreview(setFields(createDraft(stored(gate)), { isEnabled })).status;
  expect(statusOf({ isEnabled: false, status: "Disabled" }, true)).toBe("In Progress");
  expect(statusOf({ status: "Launched" }, false)).toBe("Disabled");
  expect(statusOf({ status: "Launched" }, true)).toBe("Launched");
});

test("rules and overrides are stored together", () => {
  const draft = { ...withShare(createDraft(stored()), 75), overrides: { ...OVERRIDES, passingUserIDs: ["alice"] } };
  expect(toWriteRequests(draft).map(({ operationId, ifMatch }) => [operationId, ifMatch])).toEqual([
    ["patchGate", '"3"'],
    ["updateGateOverrides", '"1"'],
  ]);
  expect(countChanges(draft)).toBe(2);
});

test("a new rule is saved with the id with which it was tested", () => {
  const draft = createDraft(stored());
  const rules = addRule(draft.rules, { name: "Beta" });
  const tested = toPatch({ ...draft, rules })?.rules?.[1]?.id;
  expect(tested).toMatch(/^[\da-f]{32}$/);
  const [write] = toWriteRequests(setFields({ ...draft, rules: renameRule(rules, "rule-2", "Gamma") }, { description: "Later" }));
  expect(write).toMatchObject({ body: { rules: [{}, { id: tested, name: "Gamma" }] } });
});

test("separate changes by two people are merged, based on the later version", () => {
  const draft = setFields(createDraft(stored()), { description: "Mine" });
  const later = { ...stored({ tags: ["theirs"], version: 4 }), etag: '"4"' };
  expect(conflictsIn(gateModel, draft, later)).toEqual([]);
  const merged = mergedDraft(gateModel, draft, later, {});
  expect(toWriteRequests(merged)).toEqual([
    { operationId: "patchGate", path: { id: "checkout" }, body: { description: "Mine" }, ifMatch: '"4"' },
  ]);
  expect(merged.fields.tags).toEqual(["theirs"]);
});

test("a rule that both changed keeps both changes, and the field that both changed is a conflict", () => {
  const draft = withShare(createDraft(stored()), 75);
  const theirs = { ...RULE, id: "theirs", baseID: "theirs", name: "Theirs" };
  const later = { ...stored({ rules: [{ ...RULE, name: "Renamed" }, theirs], version: 4 }), etag: '"4"' };
  expect(conflictsIn(gateModel, draft, later)).toEqual([]);
  const rules = (state: StoredGate, choices = {}) =>
    mergedDraft(gateModel, draft, state, choices).rules.items.map(({ rule: { name, passPercentage } }) => [name, passPercentage]);
  expect(rules(later)).toEqual([
    ["Renamed", 75],
    ["Theirs", 50],
  ]);
  const lower = { ...stored({ rules: [{ ...RULE, passPercentage: 20 }, theirs], version: 4 }), etag: '"4"' };
  const [conflict] = conflictsIn(gateModel, draft, lower);
  expect(conflict).toMatchObject({ part: "rules", item: "Staff", field: "passPercentage", mine: 75, theirs: 20 });
  expect(rules(lower)).toEqual([
    ["Staff", 20],
    ["Theirs", 50],
  ]);
  expect(rules(lower, { [conflict?.path ?? ""]: "mine" })).toEqual([
    ["Staff", 75],
    ["Theirs", 50],
  ]);
});

test("overrides of two people are merged ID by ID", () => {
  const given = (pass: string[], fail: string[] = []) => ({ ...stored().overrides, passingUserIDs: pass, failingUserIDs: fail });
  const draft = { ...createDraft({ ...stored(), overrides: given(["a"]) }), overrides: given(["a", "mine"]) };
  const apart = { ...stored(), overrides: given(["a", "theirs"]), overridesEtag: '"2"' };
  expect(conflictsIn(gateModel, draft, apart)).toEqual([]);
  expect(mergedDraft(gateModel, draft, apart, {}).overrides.passingUserIDs).toEqual(["a", "theirs", "mine"]);
  const both = { ...stored(), overrides: given(["a"], ["mine"]), overridesEtag: '"2"' };
  const [conflict] = conflictsIn(gateModel, draft, both);
  expect(conflict).toMatchObject({ part: "overrides", item: "mine", field: "side", mine: "pass", theirs: "fail" });
});

test("a renamed rule keeps its id", () => {
  const draft = createDraft(stored());
  const rules = renameRule(draft.rules, draft.rules.items[0]?.key ?? "", "People");
  expect(toWriteRequests({ ...draft, rules })[0]).toMatchObject({ body: { rules: [{ id: "r1", name: "People" }] } });
});

test("a guardrail is written, counted and marked with the metrics that it belongs to", () => {
  const revenue = { name: "Revenue", type: "sum" };
  const draft = createDraft(stored({ monitoringMetrics: [revenue] }));
  const guarded = setFields(draft, { monitoringMetrics: [{ ...revenue, guardrail: { maxHarmPercent: 101 } }] });
  expect(toWriteRequests(guarded)).toMatchObject([
    { body: { monitoringMetrics: [{ name: "Revenue", guardrail: { maxHarmPercent: 101 } }] } },
  ]);
  expect(countChanges(guarded)).toBe(1);
  expect(findFaults(guarded, 0)).toEqual([
    { property: "monitoringMetrics[0].guardrail.maxHarmPercent", level: "error", message: "Enter a percentage from 0 to 100." },
  ]);
});

test("a step that came due during a pause does not keep its rule from being changed", () => {
  const rules = [{ ...RULE, pendingAutomatedRollouts: [{ time: 200, passPercent: 100 }] }];
  const faults = (given: Partial<Schema<"Gate">>) =>
    findFaults(withShare(createDraft(stored({ monitoringMetrics: [], rules, ...given })), 75), 300).map(({ message }) => message);
  expect(faults({})).toEqual(["This time has passed. Choose a later one."]);
  expect(faults({ pausedBy: [{ ruleID: "r1", metricID: "Revenue::sum", pausedTime: 100 }] })).toEqual([]);
});
