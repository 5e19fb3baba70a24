import { describe, expect, test } from "vitest";
import type { Violation } from "../../common/errors.ts";
import { type SchemaSource, schemaSource } from "./schema-source.ts";

const none: SchemaSource = { schema: null, schemaJson5: null };
const stored: SchemaSource = { schema: '{ "type": "object" }', schemaJson5: "{ type: 'object' } // any" };

function made(given: Partial<SchemaSource>, before: SchemaSource): SchemaSource {
  const violations: Violation[] = [];
  const source = schemaSource(given, before, violations);
  expect(violations).toEqual([]);
  return source;
}

function faults(given: Partial<SchemaSource>, before: SchemaSource): Violation[] {
  const violations: Violation[] = [];
  expect(schemaSource(given, before, violations)).toBe(before);
  return violations;
}

describe("schemaSource", () => {
  test("neither is given: the stored texts stay", () => {
    expect(made({}, stored)).toBe(stored);
  });
  test("strict JSON stays as it was written, in both", () => {
    expect(made({ schema: '{ "minProperties":1 }' }, none)).toEqual({
      schema: '{ "minProperties":1 }',
      schemaJson5: '{ "minProperties":1 }',
    });
  });
  test.each(["schema", "schemaJson5"])(
    "JSON5 given as %s becomes strict JSON in schema and stays as it was written in schemaJson5",
    (name) => {
      expect(made({ [name]: "{ type: 'object' } // any" }, none)).toEqual({
        schema: '{"type":"object"}',
        schemaJson5: "{ type: 'object' } // any",
      });
    },
  );
  test("both may be given if they mean the same", () => {
    expect(made(stored, none)).toEqual(stored);
  });
  test("null in either clears both", () => {
    expect(made({ schema: null }, stored)).toEqual(none);
    expect(made({ schemaJson5: null }, stored)).toEqual(none);
    expect(made(none, stored)).toEqual(none);
  });
  test("of two that differ, the one that is not stored wins", () => {
    const edit = '{"type":"object","minProperties":1}';
    expect(made({ ...stored, schema: edit }, stored)).toEqual({ schema: edit, schemaJson5: edit });
    expect(made({ ...stored, schemaJson5: `${edit} // two` }, stored)).toEqual({ schema: edit, schemaJson5: `${edit} // two` });
    expect(made({ ...stored, schema: null }, stored)).toEqual(none);
    expect(made({ ...stored, schemaJson5: null }, stored)).toEqual(none);
    expect(made({ schema: null, schemaJson5: edit }, none)).toEqual({ schema: edit, schemaJson5: edit });
  });
  test("texts that are sent back unchanged stay as they were written", () => {
    expect(made({ ...stored }, stored)).toEqual(stored);
    expect(made({ schema: stored.schema }, stored)).toEqual(stored);
  });
  test("both differ from the stored ones and from each other: rejected", () => {
    expect(faults({ schema: "{}", schemaJson5: "{ type: 'array' }" }, stored)).toEqual([
      { property: "schemaJson5", errorMessage: "must mean the same as schema. Omit one of them" },
    ]);
  });
  test("a text that is not JSON5 is rejected at its place", () => {
    expect(faults({ schema: "{", schemaJson5: "[]" }, stored)).toEqual([
      { property: "schema", errorMessage: "is not JSON5: invalid end of input at 1:2" },
      { property: "schemaJson5", errorMessage: "must be the JSON5 text of an object" },
    ]);
  });
});
