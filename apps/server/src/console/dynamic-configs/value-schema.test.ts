import { afterAll, describe, expect, test } from "vitest";
import type { Violation } from "../../common/errors.ts";
import { createSchemaChecker } from "../../schema-checks/schema-checker.ts";
import type { JsonObject } from "../common/json5-source.ts";
import { checkValues } from "./value-schema.ts";

const checker = createSchemaChecker();
afterAll(() => checker.close());

function violations(schema: JsonObject, value: JsonObject = {}, place = "defaultValue"): Promise<Violation[]> {
  return checkValues(JSON.stringify(schema), [{ place, value }], (...given) => checker.check("a", ...given));
}

async function schemaFault(schema: JsonObject, value?: JsonObject): Promise<string | undefined> {
  const found = await violations(schema, value);
  expect(found).toEqual([{ property: "schema", errorMessage: expect.any(String) }]);
  return found[0]?.errorMessage;
}

describe("checkValues", () => {
  test("accepts values that satisfy the schema", async () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $defs: { ms: { type: "integer", minimum: 0 } },
      properties: { timeout: { $ref: "#/$defs/ms" }, mail: { type: "string", format: "email" } },
      unevaluatedProperties: false,
    };
    expect(await violations(schema, { timeout: 3, mail: "ada@example.com" })).toEqual([]);
  });

  test("reports every violation with its place", async () => {
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
    expect(await violations(schema, value, "rules[1].returnValue")).toEqual(
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

  test("returns at most 100 violations", async () => {
    const sizes = Array.from({ length: 5000 }, () => "x");
    expect(await violations({ properties: { sizes: { items: { type: "number" } } } }, { sizes })).toHaveLength(100);
  });

  test("an invalid schema is rejected at schema", async () => {
    expect(await schemaFault({ properties: { a: { type: "strin" } } })).toMatch(
      /^is not a valid JSON Schema: schema\/properties\/a\/type must be equal to one of the allowed values/,
    );
    expect(await schemaFault({ pattern: "(" })).toMatch(/^is not a valid JSON Schema: /);
    expect(await schemaFault({ $ref: "#/$defs/none" })).toMatch(/^is not a valid JSON Schema: can't resolve reference #\/\$defs\/none/);
  });

  test("another dialect is rejected", async () => {
    expect(await schemaFault({ $schema: "http://json-schema.org/draft-07/schema#" })).toBe(
      "is not a valid JSON Schema: $schema must be https://json-schema.org/draft/2020-12/schema or left out",
    );
  });

  test("another document is not fetched", async () => {
    expect(await schemaFault({ $ref: "http://127.0.0.1:1/schema.json" })).toMatch(/can't resolve reference http:\/\/127\.0\.0\.1:1/);
  });

  test("an asynchronous schema, which would accept everything, is rejected", async () => {
    expect(await schemaFault({ $async: true, required: ["a"] })).toBe("is not a valid JSON Schema: $async is not supported");
  });

  test("a schema cannot change what the next one means", async () => {
    expect(await violations({ $id: "https://example.com/a", required: ["a"] }, { a: 1 })).toEqual([]);
    expect(await violations({ $id: "https://example.com/a" })).toEqual([]);
    expect(await schemaFault({ $ref: "https://example.com/a" })).toMatch(/can't resolve reference/);
  });

  test("endless recursion is rejected", async () => {
    expect(await schemaFault({ $ref: "#" })).toBe("refers to itself without end");
  });

  test("a pattern that backtracks catastrophically is interrupted", async () => {
    const schema = { properties: { a: { type: "string", pattern: "^(a+)+$" } } };
    expect(await schemaFault(schema, { a: `${"a".repeat(60)}b` })).toBe("takes too long to check. Simplify its patterns and references");
  });

  test("long texts of the schema and the value are shortened in messages", async () => {
    const long = "x".repeat(100_000);
    const found = await violations({ properties: { a: { const: long }, [long]: { type: "number" } } }, { a: 1, [long]: "b" });
    expect(found).toHaveLength(2);
    for (const { property, errorMessage } of found) expect(property.length + errorMessage.length).toBeLessThan(700);
  });
});
