import { expect, test } from "vitest";
import {
  type AutotuneDraft,
  addVariant,
  autotuneModel,
  describeDraft,
  type Fields,
  findFaults,
  type StoredAutotune,
  toWriteRequests,
} from "./autotune-draft.ts";

const stored = {
  entity: {
    ...{ id: "call_to_action", name: "Call to action", description: "", tags: [], isStarted: false, winner: null, decisionReason: null },
    ...{ successEvent: "purchase", successEventValue: null, metadataField: null, optimizationParameter: "occurrence", valueColumn: null },
    ...{ higherIsBetter: true, explorationWindow: "24hr", explorationWindowRate: null, winnerThreshold: "95%", goalRichText: "" },
    ...{ attributionWindow: "4hr", attributionWindowUnit: "hr", longtermExplorationAllocation: null },
    variants: [
      { id: "blue", name: "Blue", json: { color: "blue" } },
      { id: "green", name: "Green", json: { color: "green" } },
    ],
  },
  etag: '"3"',
} as unknown as StoredAutotune;
const draft = autotuneModel.createDraft(stored, autotuneModel.storedParts(stored));
const change = (fields: Partial<Fields>): AutotuneDraft => ({ ...draft, fields: { ...draft.fields, ...fields } });
const toBodies = (changed: AutotuneDraft) => toWriteRequests(changed).map(({ body }) => body);

test("a save writes the fields that differ, on the version that was read", () => {
  expect([toWriteRequests(draft), describeDraft(draft)]).toEqual([[], []]);
  expect(toWriteRequests(change({ name: "Buy now", winnerThreshold: "99%" }))).toEqual([
    {
      operationId: "patchAutotune",
      path: { id: "call_to_action" },
      body: { name: "Buy now", winnerThreshold: "99%" },
      ifMatch: '"3"',
    },
  ]);
});

test("the time for outcomes is sent with its unit, even if only one of the two changed", () => {
  expect(toBodies(change({ attribution: "6" }))).toEqual([{ attributionWindow: "6", attributionWindowUnit: "hr" }]);
  expect(toBodies(change({ attributionWindowUnit: "min" as Fields["attributionWindowUnit"] }))).toEqual([
    { attributionWindow: "4", attributionWindowUnit: "min" },
  ]);
});

test("a new variant has the value of the last one and a unique name, and is sent without an ID", () => {
  const variants = addVariant(draft.fields.variants);
  expect(toBodies(change({ variants }))).toEqual([
    {
      variants: [
        { id: "blue", name: "Blue", json: { color: "blue" } },
        { id: "green", name: "Green", json: { color: "green" } },
        { name: "Variant", json: { color: "green" } },
      ],
    },
  ]);
  expect(addVariant(variants).map(({ name }) => name)).toEqual(["Blue", "Green", "Variant", "Variant 2"]);
});

test("a value that is not an object is an error at its place", () => {
  const [blue, green] = draft.fields.variants as [Fields["variants"][number], Fields["variants"][number]];
  expect(findFaults(draft)).toEqual([]);
  expect(findFaults(change({ variants: [blue, { ...green, value: "[1" }] })).map(({ property }) => property)).toEqual(["variants[1].json"]);
});
