import { expect, test } from "vitest";
import { setFields } from "../../saving/draft-model.ts";
import { type AssignmentSource, assignmentSourceModel, describeDraft, faultsOfDraft, toWriteRequests } from "./assignment-source-draft.ts";

const SOURCE = {
  ...{ name: "shop", description: "", tags: [], sql: "select * from assignments", isVerified: false },
  ...{ timestampColumn: "shown_at", experimentIDColumn: "experiment", groupIDColumn: "variant", groupNameColumn: "variant_name" },
  idTypeMapping: [{ serviceUnitID: "userID", statsigUnitID: "userID", column: "customer" }],
} as unknown as AssignmentSource;
const stored = { entity: SOURCE, etag: '"1"' };
const draft = assignmentSourceModel.createDraft(stored, assignmentSourceModel.storedParts(stored));

test("a change has the fields that changed", () => {
  expect(toWriteRequests(draft)).toEqual([]);
  expect(toWriteRequests(setFields(draft, { groupIDColumn: "arm", idTypeMapping: [{ unit: "stableID", column: "device" }] }))).toEqual([
    {
      ...{ operationId: "patchAssignmentSource", path: { name: "shop" }, ifMatch: '"1"' },
      body: { groupIDColumn: "arm", idTypeMapping: [{ serviceUnitID: "stableID", column: "device" }] },
    },
  ]);
});

test("added and removed columns are described by their unit ID types", () => {
  const [described] = describeDraft(setFields(draft, { idTypeMapping: [{ unit: "stableID", column: "device" }] }));
  expect(JSON.stringify(described)).toContain("stableID: device");
  expect(JSON.stringify(described)).toContain("userID: customer");
});

test("input that the server would refuse is an error at its field", () => {
  expect(faultsOfDraft(draft)).toEqual([]);
  const empty = { sql: " ", timestampColumn: "", experimentIDColumn: "", groupIDColumn: "", groupNameColumn: "" };
  expect(faultsOfDraft(setFields(draft, { ...empty, idTypeMapping: [] })).map(({ property }) => property)).toEqual([
    ...["sql", "timestampColumn", "experimentIDColumn", "groupIDColumn", "groupNameColumn", "idTypeMapping"],
  ]);
  const twice = [
    { unit: "userID", column: "a" },
    { unit: "userID", column: "" },
  ];
  expect(faultsOfDraft(setFields(draft, { idTypeMapping: twice })).map(({ property, message }) => [property, message])).toEqual([
    ["idTypeMapping[1].serviceUnitID", "Another column already has this unit ID type."],
    ["idTypeMapping[1].column", "Enter the column."],
  ]);
});
