import { describe, expect, it } from "vitest";
import { JSON_SCHEMA_SCHEMA } from "./json-schema-schema.ts";
import { schemaFaults } from "./schema-faults.ts";
import { keyHints, valueHints } from "./schema-hints.ts";

const found = (text: string) =>
  schemaFaults(text, JSON_SCHEMA_SCHEMA).map(({ from, to, message }) => `${text.slice(from, to)}: ${message}`);

describe("the schema of schemas", () => {
  it("accepts a schema, and itself", () => {
    expect(
      found("{ type: 'object', properties: { a: { type: ['string', 'null'], if: { const: 1 } }, b: true }, required: ['a'] }"),
    ).toEqual([]);
    expect(found(JSON.stringify(JSON_SCHEMA_SCHEMA))).toEqual([]);
  });

  it("finds invalid schemas at any depth", () => {
    expect(found("{ properties: { a: { type: 'text', minLength: -1 } }, required: 'a' }")).toEqual([
      `'text': \`type\` must be "string", "number", "integer", "boolean", "object", "array", or "null".`,
      "-1: `minLength` must be at least 0.",
      "'a': `required` must be a list in brackets [ ], but is text in quotes.",
    ]);
    expect(found("{ pattern: '(' }")).toEqual(["'(': `pattern` must be a regular expression."]);
  });

  it("suggests keywords and types", () => {
    expect(keyHints(JSON_SCHEMA_SCHEMA, ["properties", "a"]).map(({ key }) => key)).toContain("enum");
    expect(valueHints(JSON_SCHEMA_SCHEMA, ["items", "type"]).map(({ text }) => text)).toContain('"integer"');
  });
});
