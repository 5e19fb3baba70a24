import type { OperationDescription } from "@gatehouse/contract";
import { expect, test } from "vitest";
import type { Document } from "./document.ts";
import { knownNames, nullableQueryNames, queryNames } from "./known-names.ts";

const document: Document = {
  openapi: "3.1.0",
  info: {},
  paths: {},
  components: {
    schemas: {
      Gate: { allOf: [{ $ref: "#/components/schemas/Audit" }, { properties: { rules: { $ref: "#/components/schemas/Rules" } } }] },
      Audit: { properties: { version: {} } },
      Rules: { items: { anyOf: [{ properties: { name: {} } }, { oneOf: [{ properties: { name: {}, groups: { items: {} } } }] }] } },
    },
  },
};
const parameter = { isRequired: false, isNullable: false, schema: "" };
const operation: Pick<OperationDescription, "parameters" | "body"> = {
  parameters: [
    { ...parameter, in: "query", name: "limit" },
    { ...parameter, in: "path", name: "id" },
    { ...parameter, in: "query", name: "page", isNullable: true },
  ],
  body: {
    ...{ isRequired: true, schema: "#/components/schemas/Gate", maxBytes: 1, maxValues: 1 },
    ...{ refusesEmpty: false, checksItemsSingly: false },
  },
};

test.each([
  [["body"], ["version", "rules"]],
  [
    ["body", "rules", "7"],
    ["name", "groups"],
  ],
  [["body", "rules", "7", "groups", "0"], []],
  [["body", "nowhere"], []],
  [["query"], ["limit", "page"]],
])("at %j the names %j are known", (pointer, names) => {
  expect(knownNames(document, operation, pointer)).toEqual(names);
});

test("finds the query parameters that may be null", () => {
  expect(nullableQueryNames(operation)).toEqual(["page"]);
});

test("an operation without body and parameters knows no names, and neither does an unknown operation", () => {
  expect(knownNames(document, { parameters: [] }, ["body"])).toEqual([]);
  expect(knownNames(document, undefined, ["query"])).toEqual([]);
  expect(queryNames({ parameters: [] })).toEqual([]);
});
