import { describe, expect, test } from "vitest";
import type { Document } from "../common/document.ts";
import { createRequestValidator } from "./validator.ts";

/** A contract of one operation, whose body has the schema. */
function contractWith(schema: object): Document {
  return {
    openapi: "3.1.0",
    info: { title: "", version: "1" },
    paths: {
      "/gates/{id}": {
        put: {
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string", minLength: 10 } }],
          requestBody: { required: true, content: { "application/json": { schema } } },
          responses: { 200: { description: "" } },
        },
      },
    },
    components: { schemas: { Name: { type: "string" } } },
  };
}

const compile = (schema: object) =>
  createRequestValidator({ document: contractWith(schema), descriptions: {} }).compile("/gates/:id", "PUT", true);

describe("compiling what the requests of an operation need", () => {
  test.each([
    ["to the contract's schemas", { type: "object", required: ["name"], properties: { name: { $ref: "#/components/schemas/Name" } } }],
    ["to none", { type: "object", required: ["name"] }],
  ])("succeeds with references %s, although the operation rejects an empty request", async (_, schema) => {
    await expect(compile(schema)).resolves.toBeUndefined();
  });

  test.each([
    ["a reference that leads nowhere", { properties: { name: { $ref: "#/components/schemas/Gone" } } }, "Gone"],
    ["an invalid pattern", { type: "string", pattern: "(" }, "Invalid regular expression"],
  ])("fails with %s", async (_, schema, message) => {
    await expect(compile(schema)).rejects.toThrow(message);
  });
});
