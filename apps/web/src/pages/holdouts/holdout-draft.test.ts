import { expect, test } from "vitest";
import { withMissingChanges } from "../../targeting/missing-changes.ts";
import { toText } from "../../targeting/parts.ts";
import {
  describeDraft,
  type HoldoutDraft,
  holdoutModel,
  leftExperiments,
  newlyHeld,
  type StoredHoldout,
  setFields,
  toWriteRequests,
} from "./holdout-draft.ts";

const stored = {
  entity: {
    ...{ id: "nothing_new", name: "Nothing new", description: "", idType: "userID", isEnabled: true, passPercentage: 1 },
    ...{ isGlobal: false, gateIDs: ["a"], experimentIDs: [], layerIDs: [], targetingGateID: null, tags: [] },
  },
  etag: '"1"',
  overrides: { passingUserIDs: [], failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [], environmentOverrides: [], version: 0 },
  overridesEtag: '"0"',
} as unknown as StoredHoldout;
const draft = holdoutModel.createDraft(stored, holdoutModel.storedParts(stored));

test("a save writes the fields and the overrides that differ, each on its version", () => {
  expect([toWriteRequests(draft), describeDraft(draft)]).toEqual([[], []]);
  const changed: HoldoutDraft = {
    ...setFields(draft, { passPercentage: 2.5, gateIDs: ["a", "b"] }),
    overrides: { ...draft.overrides, passingUserIDs: ["ada"] },
  };
  expect(toWriteRequests(changed)).toMatchObject([
    { operationId: "patchHoldout", body: { passPercentage: 2.5, gateIDs: ["a", "b"] }, ifMatch: '"1"' },
    { operationId: "updateHoldoutOverrides", body: { passingUserIDs: ["ada"], failingUserIDs: [] }, ifMatch: '"0"' },
  ]);
  expect(holdoutModel.countChanges(changed)).toBe(3);
});

test("a review names the features that change, and does not repeat the holdout for each of them", () => {
  const changed = setFields(draft, { gateIDs: ["a", "b"] });
  const feature = { entityType: "gate", entityID: "b", fields: [{ field: "holdoutIDs", before: [], after: ["nothing_new"] }] };
  const shown = (described: ReturnType<typeof describeDraft>) =>
    withMissingChanges(described, [feature]).flatMap(({ changes }) => changes.map(({ parts }) => toText(parts)));
  expect(shown(describeDraft(changed, { b: "New checkout" }))).toEqual(["Gates: + New checkout"]);
  expect(shown(describeDraft(setFields(draft, { name: "Nothing" })))).toEqual([
    "Name: Nothing new → Nothing",
    "Holdouts: none → nothing_new",
  ]);
});

test("users leave experiments that a holdout begins to hold, or holds more of", () => {
  const left = (before: object, after: Parameters<typeof setFields>[1]) => {
    const read = { ...stored, entity: { ...stored.entity, ...before } };
    return newlyHeld(setFields(holdoutModel.createDraft(read, holdoutModel.storedParts(read)), after));
  };
  const [none, all] = [
    { experimentIDs: [], layerIDs: [], areAll: false },
    { experimentIDs: [], layerIDs: [], areAll: true },
  ];
  const only = (...ids: string[]) => ({ ...none, experimentIDs: ids });
  expect(left({ experimentIDs: ["a"] }, { experimentIDs: ["a", "b"] })).toEqual(only("b"));
  expect(left({ experimentIDs: ["a"] }, { passPercentage: 2 })).toEqual(only("a"));
  expect(left({ experimentIDs: ["a"], isEnabled: false }, { isEnabled: true })).toEqual(only("a"));
  expect(left({ isEnabled: false }, { experimentIDs: ["a"] })).toEqual(none);
  expect(left({ experimentIDs: ["a"] }, { passPercentage: 0.5 })).toEqual(none);
  expect(left({}, { isGlobal: true })).toEqual(all);
  expect(left({ isGlobal: true }, { isGlobal: false, experimentIDs: ["a"] })).toEqual(none);
  expect(left({ layerIDs: ["l"] }, { layerIDs: ["l", "m"] })).toEqual({ ...none, layerIDs: ["m"] });
  expect(left({ layerIDs: ["l"] }, { passPercentage: 2 })).toEqual({ ...none, layerIDs: ["l"] });
});

test("a draft names each running experiment that it begins to hold, itself or through its layer, once", () => {
  const experiment = (id: string, given: object = {}) => ({
    id,
    name: id.toUpperCase(),
    status: "active" as const,
    layerID: null,
    ...given,
  });
  const inLayer = [experiment("a", { layerID: "l" }), experiment("b", { layerID: "l", status: "setup" })];
  const read = { ...stored, entity: { ...stored.entity, experimentIDs: ["c"] } };
  const before = holdoutModel.createDraft(read, holdoutModel.storedParts(read));
  const changed = setFields(before, { layerIDs: ["l"], experimentIDs: ["a", "c"] });
  const held = [experiment("a", { layerID: "l" }), ...inLayer, experiment("c", { layerID: "l" })];
  expect(leftExperiments(changed, held)).toEqual(["A"]);
  expect(leftExperiments(setFields(changed, { passPercentage: 2 }), held)).toEqual(["A", "C"]);
});
