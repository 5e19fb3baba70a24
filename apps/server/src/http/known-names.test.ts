import { expect, test } from "vitest";
import type { Document } from "./document.ts";
import { knownNames, queryNames } from "./known-names.ts";

const document: Document = {
  openapi: "3.1.0",
  info: {},
  paths: {},
  components: {
    parameters: { limit: { in: "query", name: "limit" }, id: { in: "path", name: "id" } },
    schemas: {
      Gate: { allOf: [{ $ref: "#/components/schemas/Audit" }, { properties: { rules: { $ref: "#/components/schemas/Rules" } } }] },
      Audit: { properties: { version: {} } },
      Rules: { items: { anyOf: [{ properties: { name: {} } }, { oneOf: [{ properties: { name: {}, groups: { items: {} } } }] }] } },
    },
  },
};
const operation = {
  parameters: [{ $ref: "#/components/parameters/limit" }, { $ref: "#/components/parameters/id" }, { in: "query", name: "page" }],
  requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Gate" } } } },
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

test("an operation without a body and parameters knows no names, and no more does none", () => {
  expect(knownNames(document, {}, ["body"])).toEqual([]);
  expect(knownNames(document, undefined, ["query"])).toEqual([]);
  expect(queryNames(document, {})).toEqual([]);
});
