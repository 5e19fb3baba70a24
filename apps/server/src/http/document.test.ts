import { expect, test } from "vitest";
import { type Document, declares, methodsOf } from "./document.ts";

const gate = {
  get: { responses: { 200: { $ref: "#/components/responses/Gate" } } },
  delete: { responses: {} },
};
const document: Document = {
  openapi: "3.1.0",
  info: {},
  paths: { "/gates/{id}": gate },
};

test("the methods of a path are those of its operations", () => {
  expect(methodsOf(gate)).toEqual(["GET", "DELETE"]);
});

test.each([
  ["/gates/{id}", "get", 200, true],
  ["/gates/{id}", "get", 412, false],
  ["/gates/{id}", "put", 200, false],
  ["/nowhere", "get", 200, false],
])("%s %s declares %i: %s", (path, method, status, expected) => {
  expect(declares(document, path, method, status)).toBe(expected);
});
