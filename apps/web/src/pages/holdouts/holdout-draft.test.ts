import { expect, test } from "vitest";
import { describeDraft, type HoldoutDraft, holdoutModel, type StoredHoldout, setFields, toWriteRequests } from "./holdout-draft.ts";

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
