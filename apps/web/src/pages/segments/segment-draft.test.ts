import { expect, test } from "vitest";
import { conflictsIn, mergedDraft } from "../../saving/draft-model.ts";
import { addRule, toDraft } from "../../targeting/rule-draft.ts";
import { type Segment, type SegmentDraft, segmentModel, setFields, toPatchBody, toWriteRequests } from "./segment-draft.ts";

const SEGMENT = {
  ...{ id: "staff", name: "Staff", description: "", tags: [], type: "rule_based", idType: "userID", isEnabled: true, rules: [] },
} as unknown as Segment;
const stored = { entity: SEGMENT, etag: '"1"' };
const draft: SegmentDraft = {
  stored,
  fields: { name: "Staff", description: "", tags: [], team: null, teamID: null, owner: null },
  rules: toDraft([]),
};
const withRule: SegmentDraft = { ...draft, rules: addRule(draft.rules, { name: "Norway" }) };

test("a save writes the fields that differ, on the version that was read", () => {
  const described = setFields(draft, { description: "Who works here.", tags: ["internal"] });
  expect(toWriteRequests(described)).toEqual([
    {
      operationId: "patchSegment",
      path: { id: "staff" },
      body: { description: "Who works here.", tags: ["internal"] },
      ifMatch: '"1"',
    },
  ]);
  expect(segmentModel.countChanges(described)).toBe(2);
});

test("a save writes the rules if they differ, on the version that was read", () => {
  expect([toPatchBody(draft), toWriteRequests(draft), segmentModel.countChanges(draft)]).toEqual([undefined, [], 0]);
  expect(toWriteRequests(withRule)).toMatchObject([
    { operationId: "patchSegment", path: { id: "staff" }, body: { rules: [{ name: "Norway" }] }, ifMatch: '"1"' },
  ]);
  expect(segmentModel.countChanges(withRule)).toBe(1);
});

test("rules that both added are both kept", () => {
  const theirs = {
    entity: { ...SEGMENT, rules: [{ id: "r", name: "Theirs", passPercentage: 100, conditions: [] }] } as Segment,
    etag: '"2"',
  };
  expect(conflictsIn(segmentModel, withRule, theirs)).toEqual([]);
  const merged = mergedDraft(segmentModel, withRule, theirs, {});
  expect(toWriteRequests(merged)).toMatchObject([{ body: { rules: [{ name: "Theirs" }, { name: "Norway" }] }, ifMatch: '"2"' }]);
});
