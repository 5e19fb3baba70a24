import { expect, test } from "vitest";
import { setFields } from "../../saving/draft-model.ts";
import { faultsOfDraft, type TableSource, tableSourceModel } from "../../sources/table-source-draft.ts";
import { describeDraft, toWriteRequests } from "./metric-source-draft.ts";

const SOURCE = {
  name: "orders",
  description: "",
  tags: [],
  sql: "select * from orders",
  sourceType: "query",
  tableName: "",
  timestampColumn: "created_at",
  timestampAsDay: false,
  idTypeMapping: [{ serviceUnitID: "userID", statsigUnitID: "userID", column: "customer_id" }],
  customFieldMapping: [],
  isVerified: false,
} as unknown as TableSource;
const stored = { entity: SOURCE, etag: '"1"' };
const draft = tableSourceModel.createDraft(stored, tableSourceModel.storedParts(stored));

test("an update has what the contract requires, and of the rest what changed", () => {
  expect(toWriteRequests(draft)).toEqual([]);
  expect(toWriteRequests(setFields(draft, { description: "Orders of the shop." }))).toEqual([
    {
      operationId: "updateMetricSource",
      path: { name: "orders" },
      body: {
        sql: "select * from orders",
        timestampColumn: "created_at",
        description: "Orders of the shop.",
        idTypeMapping: [{ serviceUnitID: "userID", column: "customer_id" }],
      },
      ifMatch: '"1"',
    },
  ]);
});

test("added and removed columns are described by their unit ID types", () => {
  const changed = setFields(draft, { idTypeMapping: [{ unit: "stableID", column: "device" }] });
  const [described] = describeDraft(changed);
  expect(described?.changes[0]?.parts.map((part) => ("text" in part ? part.text : "")).join(" ")).toMatch(
    /stableID: device.*userID: customer_id/,
  );
});

test("missing fields are named at their places", () => {
  const fields = {
    ...draft.fields,
    sql: " ",
    timestampColumn: "",
    idTypeMapping: [
      { unit: "userID", column: "" },
      { unit: "userID", column: "b" },
    ],
    customFieldMapping: [{ key: "", formula: "total * 2" }],
  };
  expect(faultsOfDraft({ fields }).map(({ property }) => property)).toEqual([
    "sql",
    "timestampColumn",
    "idTypeMapping[0].column",
    "idTypeMapping[1].serviceUnitID",
    "customFieldMapping[0].key",
  ]);
  const ofTable = { ...draft.fields, sourceType: "table" as const, sql: "", idTypeMapping: [] };
  expect(faultsOfDraft({ fields: ofTable }).map(({ property }) => property)).toEqual(["tableName", "idTypeMapping"]);
});
