import { describe, expect, it } from "vitest";
import { keyHints, valueHints } from "./schema-hints.ts";

const schema = {
  type: "object",
  required: ["size"],
  properties: {
    color: { enum: ["red", "blue"], description: "Of the button." },
    size: { $ref: "#/$defs/size" },
    isBold: { type: "boolean", default: true },
    never: false,
    steps: { type: "array", items: { type: "object", properties: { after: { type: ["integer", "null"] } } }, prefixItems: [{ const: 0 }] },
  },
  additionalProperties: { properties: { other: {} } },
  $defs: { size: { title: "How large", type: "number", examples: [12] } },
};
const keys = (of: unknown, path: (string | number)[] = []) => keyHints(of, path).map(({ key }) => key);
const values = (of: unknown, path: (string | number)[] = []) => valueHints(of, path).map(({ text }) => text);

describe("keyHints", () => {
  it("lists the keys of the schema, required ones first, with type and description", () => {
    expect(keyHints(schema, [])).toEqual([
      { key: "size", type: "number", description: "How large", isRequired: true },
      { key: "color", type: "", description: "Of the button.", isRequired: false },
      { key: "isBold", type: "boolean", description: "", isRequired: false },
      { key: "steps", type: "array", description: "", isRequired: false },
    ]);
  });

  it("goes into lists, and into keys that the schema does not name", () => {
    expect(keys(schema, ["steps", 3])).toEqual(["after"]);
    expect(keys(schema, ["unknown"])).toEqual(["other"]);
    expect(keys(schema, ["color", "x"])).toEqual([]);
  });

  it("joins the keys of all forms", () => {
    const forms = { allOf: [{ properties: { a: {} } }], anyOf: [{ properties: { b: {} } }, { oneOf: [{ properties: { c: {}, a: {} } }] }] };
    expect(keys(forms)).toEqual(["a", "b", "c"]);
  });

  it("ends for schemas that refer to themselves", () => {
    const node = { properties: { next: { $ref: "#" }, same: { $ref: "#/properties/same" } } };
    expect(keys(node, ["next", "next", "next"])).toEqual(["next", "same"]);
    expect(keys(node, ["same"])).toEqual([]);
  });

  it("stays within its bounds for schemas that multiply", () => {
    const wide = { anyOf: Array.from({ length: 50_000 }, (_, index) => ({ properties: { [`k${index}`]: {} } })) };
    expect(keys(wide)).toHaveLength(200);
  });

  it("has no hints for an invalid schema", () => {
    for (const none of [
      null,
      undefined,
      true,
      7,
      [],
      { properties: 3, required: "x", anyOf: {} },
      { $ref: "#/%" },
      { $ref: "https://x" },
    ]) {
      expect(keys(none)).toEqual([]);
    }
  });
});

describe("valueHints", () => {
  it("lists what the schema names", () => {
    expect(values(schema, ["color"])).toEqual(['"red"', '"blue"']);
    expect(values(schema, ["steps", 0])).toEqual(["0"]);
    expect(values(schema, ["size"])).toEqual(["12"]);
  });

  it("begins a value of the type otherwise, the default first", () => {
    expect(values(schema, ["isBold"])).toEqual(["true", "false"]);
    expect(values({ type: "boolean", default: false })).toEqual(["false", "true"]);
    expect(values(schema, ["steps", 1])).toEqual(["{}"]);
    expect(values(schema, ["steps"])).toEqual(["[]"]);
    expect(values(schema, ["steps", 1, "after"])).toEqual(["null"]);
  });
});
