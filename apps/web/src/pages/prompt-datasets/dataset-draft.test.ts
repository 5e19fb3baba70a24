import { expect, test } from "vitest";
import { setFields } from "../../saving/draft-model.ts";
import { datasetModel, inputNames, type PromptDataset, type Row, toWriteRequests } from "./dataset-draft.ts";

const ROWS: Row[] = [{ input: { order: "One lamp" }, expected: "A lamp." }, { input: { order: "Two mugs", tone: "polite" } }];
const DATASET = {
  id: "orders",
  name: "Orders",
  description: "",
  rows: ROWS,
  tags: [],
  team: null,
  teamID: null,
} as unknown as PromptDataset;
const stored = { entity: DATASET, etag: '"1"' };

test("a request has only the changed fields", () => {
  const draft = datasetModel.createDraft(stored, datasetModel.storedParts(stored));
  expect(toWriteRequests(setFields(draft, { rows: ROWS.slice(1) }))).toEqual([
    { operationId: "patchPromptDataset", path: { id: "orders" }, body: { rows: ROWS.slice(1) }, ifMatch: '"1"' },
  ]);
});

test("columns are the inputs of all rows in their order", () => {
  expect(inputNames(ROWS)).toEqual(["order", "tone"]);
});
