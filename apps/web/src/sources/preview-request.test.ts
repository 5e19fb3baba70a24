import { expect, test } from "vitest";
import { type Previewed, previewRequest } from "./preview-request.ts";

const FORM: Previewed = {
  sourceType: "query",
  sql: "select * from orders",
  tableName: "shop.orders",
  timestampColumn: "created_at",
  idTypeMapping: [{ unit: "userID", column: "customer_id" }],
  customFieldMapping: [{ key: "is_large", formula: "total > 100" }],
};

test("a preview asks for the query with its columns and computed fields", () => {
  expect(previewRequest(FORM).body).toEqual({
    sourceType: "query",
    sql: "select * from orders",
    timestampColumn: "created_at",
    idTypeMapping: [{ serviceUnitID: "userID", column: "customer_id" }],
    customFieldMapping: [{ key: "is_large", formula: "total > 100" }],
  });
});

test("a preview of a table asks for no query", () => {
  const { body } = previewRequest({ ...FORM, sourceType: "table" });
  expect(body).toMatchObject({ sourceType: "table", tableName: "shop.orders" });
  expect(body).not.toHaveProperty("sql");
});

test("incomplete fields are left out, and errors are still named at their form rows", () => {
  const { body, toFormPlace } = previewRequest({
    ...FORM,
    timestampColumn: " ",
    idTypeMapping: [
      { unit: "userID", column: "" },
      { unit: "", column: "device" },
      { unit: "companyID", column: "company" },
    ],
    customFieldMapping: [
      { key: "", formula: "1" },
      { key: "double", formula: "total * 2" },
    ],
  });
  expect(body).toEqual({
    sourceType: "query",
    sql: "select * from orders",
    idTypeMapping: [{ serviceUnitID: "companyID", column: "company" }],
    customFieldMapping: [{ key: "double", formula: "total * 2" }],
  });
  expect(["sql", "idTypeMapping[0].column", "customFieldMapping[0].key", "idTypeMapping[7].column"].map(toFormPlace)).toEqual([
    "sql",
    "idTypeMapping[2].column",
    "customFieldMapping[1].key",
    "idTypeMapping[7].column",
  ]);
});
