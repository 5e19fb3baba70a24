import { expect, test } from "vitest";
import { assignmentsPreview } from "./preview-assignments.ts";

const FORM = {
  ...{ sql: "select 1", timestampColumn: "at", experimentIDColumn: "experiment", groupIDColumn: "variant", groupNameColumn: "" },
  idTypeMapping: [
    { unit: "userID", column: "" },
    { unit: "userID", column: "customer" },
  ],
};

test("a preview asks for the columns that are named", () => {
  expect(assignmentsPreview(FORM).body).toEqual({
    ...{ sql: "select 1", timestampColumn: "at", experimentIDColumn: "experiment", groupIDColumn: "variant" },
    idTypeMapping: [{ serviceUnitID: "userID", column: "customer" }],
  });
});

test("an error in an ID column is shown at its place in the form", () => {
  expect(assignmentsPreview(FORM).toFormPlace("idTypeMapping[0].column")).toBe("idTypeMapping[1].column");
});
