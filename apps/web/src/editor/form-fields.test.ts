import { describe, expect, it } from "vitest";
import { faultsByField, parseForm } from "./form-fields.ts";
import { schemaFaults } from "./schema-faults.ts";

const schema = {
  required: ["color"],
  properties: {
    color: { enum: ["red", "blue", null], description: "Of the button." },
    size: { type: "integer" },
    name: { type: ["string", "null"] },
    isBold: { $ref: "#/$defs/flag" },
    limits: { type: "object" },
    either: { type: ["string", "number"] },
  },
  $defs: { flag: { type: "boolean" } },
};
const field = (key: string, more: object) => ({ key, description: "", isRequired: false, ...more });

describe("parseForm", () => {
  it("has a field for each key of the schema, set or not", () => {
    expect(parseForm("{ size: 12 }", schema).fields).toEqual([
      field("color", { kind: "choice", description: "Of the button.", isRequired: true, choices: ["red", "blue", null] }),
      field("size", { kind: "number", value: 12 }),
      field("name", { kind: "text" }),
      field("isBold", { kind: "boolean" }),
      field("limits", { kind: "nested", summary: "not set" }),
      field("either", { kind: "nested", summary: "not set" }),
    ]);
  });

  it("derives fields from the values without a schema", () => {
    expect(parseForm("{ a: 'x', 'b c': 0x10, d: false, e: null, f: [1], g: {}, h: { i: 1, j: 2 } }", null).fields).toEqual([
      field("a", { kind: "text", value: "x" }),
      field("b c", { kind: "number", value: 16 }),
      field("d", { kind: "boolean", value: false }),
      field("e", { kind: "nested", summary: "null" }),
      field("f", { kind: "list", items: [{ kind: "number", value: 1 }], newItem: 0 }),
      field("g", { kind: "nested", summary: "an empty object", isExtensible: true }),
      field("h", { kind: "nested", summary: "2 keys" }),
    ]);
  });

  it("takes no new keys where the schema forbids them", () => {
    const closed = { properties: { g: { additionalProperties: false } }, unevaluatedProperties: false };
    expect(parseForm("{ g: {} }", closed)).toEqual({
      isExtensible: false,
      fields: [field("g", { kind: "nested", summary: "an empty object" })],
    });
  });

  it("keeps a value of another type in the field of the type that the schema demands", () => {
    expect(parseForm("{ size: 'large', name: null, either: 3 }", schema).fields?.slice(1)).toMatchObject([
      { key: "size", kind: "number", value: "large" },
      { key: "name", kind: "text", value: null },
      { key: "isBold" },
      { key: "limits" },
      { key: "either", kind: "number", value: 3 },
    ]);
  });

  it("adds the keys that the schema does not name, and takes the last of equal keys", () => {
    expect(parseForm("{ z: 1, z: 2 }", schema).fields?.at(-1)).toEqual(field("z", { kind: "number", value: 2 }));
  });

  it("edits the items of a list by their schemas, and adds one of the type that comes next", () => {
    const lists = {
      properties: {
        tags: { type: "array", items: { enum: ["a", "b"] } },
        pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
        steps: { type: "array", items: { type: "object" } },
      },
    };
    expect(parseForm("{ tags: ['b'], pair: ['x'], steps: [{}], free: [] }", lists).fields).toEqual([
      field("tags", { kind: "list", items: [{ kind: "choice", value: "b", choices: ["a", "b"] }], newItem: "a" }),
      field("pair", { kind: "list", items: [{ kind: "text", value: "x" }], newItem: 0 }),
      field("steps", { kind: "list", items: [{ kind: "nested", summary: "an empty object" }], newItem: undefined }),
      field("free", { kind: "list", items: [], newItem: undefined }),
    ]);
    expect(parseForm("{}", lists).fields?.[0]).toEqual(field("tags", { kind: "list", items: undefined, newItem: "a" }));
  });

  it("is a choice only of values that fit a form", () => {
    expect(parseForm("{}", { properties: { a: { enum: [{}, 1] } } }).fields).toEqual([field("a", { kind: "nested", summary: "not set" })]);
  });

  it("says why a text has none", () => {
    expect(parseForm("{ a: }", null)).toEqual({ why: 'Fix the error in the text to use the form: A value is missing before "}".' });
    expect(parseForm("[1]", null)).toEqual({ why: "The form works for objects only." });
  });
});

describe("faultsByField", () => {
  it("finds the key at which or in whose value a fault is", () => {
    const text = "{ size: 1.5, limits: { a: 1 } }";
    const demanding = { ...schema, properties: { ...schema.properties, limits: { properties: { a: { type: "string" } } } } };
    const { byKey, others } = faultsByField(text, schemaFaults(text, demanding));
    expect([...byKey].map(([key, faults]) => [key, faults.map(({ message }) => message)])).toEqual([
      ["color", ['The key "color" is missing.']],
      ["size", ["`size` must be a whole number, but is a number."]],
      ["limits", ["`a` must be text in quotes, but is a number."]],
    ]);
    expect(others).toEqual([]);
  });
});
