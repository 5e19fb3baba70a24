import { describe, expect, test } from "vitest";
import { type Document, declares, excerpt, methodsOf } from "./document.ts";

const gate = {
  parameters: [{ $ref: "#/components/parameters/tags" }],
  get: { responses: { 200: { $ref: "#/components/responses/Gate" } } },
  delete: { responses: {} },
};
const node = { properties: { next: { $ref: "#/components/schemas/Node" }, tag: { $ref: "#/components/schemas/Tag" } } };
const document: Document = {
  openapi: "3.1.0",
  info: {},
  servers: [{ url: "/elsewhere" }],
  paths: { "/gates/{id}": gate, "/teams": { get: { responses: { 200: { $ref: "#/components/responses/Team" } } } } },
  components: {
    parameters: { tags: { in: "query", name: "tags" }, page: { in: "query", name: "page" } },
    responses: { Gate: { content: { $ref: "#/components/schemas/Node" } }, Team: { content: { $ref: "#/components/schemas/Tag" } } },
    schemas: { Node: node, Tag: { type: "string" }, Unused: { type: "null" } },
  },
};

describe("excerpt", () => {
  test("has one path and all that it needs, also of a schema that needs itself, and takes parameters as they are sent", () => {
    expect(excerpt(document, "/gates/{id}")).toEqual({
      openapi: "3.1.0",
      info: {},
      servers: [{ url: "/" }],
      paths: { "/gates/{id}": gate },
      components: {
        parameters: { tags: { in: "query", name: "tags", allowReserved: true } },
        responses: { Gate: document.components?.responses?.Gate },
        schemas: { Node: node, Tag: { type: "string" } },
      },
    });
  });

  test("is refused for a path that the contract does not have", () => {
    expect(() => excerpt(document, "/gates")).toThrow("The contract has no path /gates.");
  });
});

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
