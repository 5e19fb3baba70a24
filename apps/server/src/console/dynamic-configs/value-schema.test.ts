import { describe, expect, test } from "vitest";
import type { Violation } from "../../errors.ts";
import type { JsonObject } from "../common/json5-twin.ts";
import { checkValues } from "./value-schema.ts";

function violations(schema: JsonObject, value: JsonObject = {}, place = "defaultValue"): Violation[] {
  const found: Violation[] = [];
  checkValues(schema, [{ place, value }], found);
  return found;
}

function schemaFault(schema: JsonObject, value?: JsonObject): string | undefined {
  const found = violations(schema, value);
  expect(found).toEqual([{ property: "schema", errorMessage: expect.any(String) }]);
  return found[0]?.errorMessage;
}

describe("checkValues", () => {
  test("values that satisfy the schema are let through", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $defs: { ms: { type: "integer", minimum: 0 } },
      properties: { timeout: { $ref: "#/$defs/ms" }, mail: { type: "string", format: "email" } },
      unevaluatedProperties: false,
    };
    expect(violations(schema, { timeout: 3, mail: "ada@example.com" })).toEqual([]);
  });

  test("every violation is named with its place", () => {
    const schema = {
      type: "object",
      required: ["name"],
      additionalProperties: false,
      properties: {
        name: { type: "string" },
        timeout: { type: "number" },
        mode: { enum: ["fast", "slow"] },
        kind: { const: 1 },
        mail: { type: "string", format: "email" },
        sizes: { type: "array", items: { type: "object", properties: { "a/b": { maximum: 3 } } } },
      },
    };
    const value = { timeout: "x", mode: "odd", kind: 2, mail: "ada", sizes: [{}, { "a/b": 4 }], other: true };
    expect(violations(schema, value, "rules[1].returnValue")).toEqual(
      [
        ["rules[1].returnValue.name", "is required (schema)"],
        ["rules[1].returnValue.other", "is not allowed (schema)"],
        ["rules[1].returnValue.timeout", "must be number (schema)"],
        ["rules[1].returnValue.mode", 'must be one of "fast","slow" (schema)'],
        ["rules[1].returnValue.kind", "must be 1 (schema)"],
        ["rules[1].returnValue.mail", 'must match format "email" (schema)'],
        ["rules[1].returnValue.sizes[1].a/b", "must be <= 3 (schema)"],
      ].map(([property, errorMessage]) => ({ property, errorMessage })),
    );
  });

  test("a list of violations has an end", () => {
    const sizes = Array.from({ length: 5000 }, () => "x");
    expect(violations({ properties: { sizes: { items: { type: "number" } } } }, { sizes })).toHaveLength(100);
  });

  test("what is no schema is refused at schema", () => {
    expect(schemaFault({ properties: { a: { type: "strin" } } })).toMatch(
      /^is not a valid JSON Schema: schema\/properties\/a\/type must be equal to one of the allowed values/,
    );
    expect(schemaFault({ pattern: "(" })).toMatch(/^is not a valid JSON Schema: /);
    expect(schemaFault({ $ref: "#/$defs/none" })).toMatch(/^is not a valid JSON Schema: can't resolve reference #\/\$defs\/none/);
  });

  test("another dialect is refused", () => {
    expect(schemaFault({ $schema: "http://json-schema.org/draft-07/schema#" })).toBe(
      "is not a valid JSON Schema: $schema must be https://json-schema.org/draft/2020-12/schema or left out",
    );
  });

  test("another document is not fetched", () => {
    expect(schemaFault({ $ref: "http://127.0.0.1:1/schema.json" })).toMatch(/can't resolve reference http:\/\/127\.0\.0\.1:1/);
  });

  test("an asynchronous schema, which would let everything through, is refused", () => {
    expect(schemaFault({ $async: true, required: ["a"] })).toBe("is not a valid JSON Schema: $async is not supported");
  });

  test("a schema cannot change what the next one means", () => {
    expect(violations({ $id: "https://example.com/a", required: ["a"] }, { a: 1 })).toEqual([]);
    expect(violations({ $id: "https://example.com/a" })).toEqual([]);
    expect(schemaFault({ $ref: "https://example.com/a" })).toMatch(/can't resolve reference/);
  });

  test("a reference without end is refused", () => {
    expect(schemaFault({ $ref: "#" })).toBe("refers to itself without end");
  });

  test("a pattern that backtracks without end is interrupted", () => {
    const schema = { properties: { a: { type: "string", pattern: "^(a+)+$" } } };
    const start = performance.now();
    expect(schemaFault(schema, { a: `${"a".repeat(60)}b` })).toBe("takes too long to check. Simplify its patterns and references");
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
