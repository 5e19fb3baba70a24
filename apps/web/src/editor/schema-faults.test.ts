import { describe, expect, it } from "vitest";
import { schemaFaults } from "./schema-faults.ts";

/** The faults as "underlined text: message". */
const found = (text: string, schema: unknown, rootKind: "object" | "value" = "object"): string[] =>
  schemaFaults(text, schema, rootKind).map(({ from, to, message }) => `${text.slice(from, to)}: ${message}`);

const properties = (own: Record<string, unknown>, more: object = {}) => ({ type: "object", properties: own, ...more });

describe("the text alone", () => {
  it("has no fault if it is an object", () => expect(schemaFaults("{ a: 1 }", undefined)).toEqual([]));

  it("must be an object unless any value will do", () => {
    expect(found("[1]", null)).toEqual(["[: The text must be an object in braces { }."]);
    expect(found("'x'", null)).toEqual(["'x': The text must be an object in braces { }."]);
    expect(found("[1]", null, "value")).toEqual([]);
  });

  it("has the fault of its syntax only, and no schema is checked", () => {
    expect(found("{ a: 1 b: 2 }", properties({ a: { type: "string" } }))).toEqual(['b: A comma or "}" is missing before this.']);
  });

  it("may not have integers that a number cannot hold", () => {
    expect(found("{ a: [9007199254740993, -0x20000000000001], b: '9007199254740993', c: [9007199254740992, 1e300] }", null)).toEqual(
      ["9007199254740993", "-0x20000000000001"].map(
        (text) => `${text}: Numbers keep integers only up to 9007199254740991. Write this one as a string, in quotes.`,
      ),
    );
  });

  it("may not have U+0000, or numbers that JSON lacks", () => {
    expect(found("{ a: [-Infinity, NaN], b: '\\0' }", null)).toEqual([
      "-Infinity: -Infinity is not allowed: JSON has no such number.",
      "NaN: NaN is not allowed: JSON has no such number.",
      "'\\0': The character U+0000 is not allowed.",
    ]);
  });

  it("is warned of a key that another one overrides", () => {
    expect(schemaFaults("{ a: 1, b: 2, a: 3 }", null)).toEqual([
      { from: 2, to: 3, message: 'The key "a" appears again below, and only the last one counts.', severity: "warning" },
    ]);
  });
});

describe("a schema", () => {
  it("may be a text of JSON5 or a value", () => {
    const message = ["'x': `a` must be a number, but is text in quotes."];
    expect(found("{ a: 'x' }", "{ properties: { a: { type: 'number' } } } // a")).toEqual(message);
    expect(found("{ a: 'x' }", { properties: { a: { type: "number" } } })).toEqual(message);
  });

  it.each<[keyword: object, value: string, fault: string]>([
    [{ type: "integer" }, "1.5", "1.5: `a` must be a whole number, but is a number."],
    [{ type: ["string", "null"] }, "[1]", "a: `a` must be text in quotes or null, but is a list in brackets [ ]."],
    [{ type: "array" }, "{ b: 1 }", "a: `a` must be a list in brackets [ ], but is an object in braces { }."],
    [{ type: "boolean" }, "null", "null: `a` must be true or false, but is null."],
    [{ enum: ["red", "blue", 3] }, "'green'", `'green': \`a\` must be "red", "blue", or 3.`],
    [{ const: "x" }, "true", 'true: `a` must be "x".'],
    [{ minimum: 3 }, "2", "2: `a` must be at least 3."],
    [{ maximum: 3 }, "0x10", "0x10: `a` must be at most 3."],
    [{ exclusiveMinimum: 3 }, "3", "3: `a` must be greater than 3."],
    [{ exclusiveMaximum: 3 }, "3", "3: `a` must be less than 3."],
    [{ multipleOf: 0.5 }, "1.25", "1.25: `a` must be a multiple of 0.5."],
    [{ minLength: 1 }, "''", "'': `a` must have at least 1 character."],
    [{ maxLength: 2 }, "'abc'", "'abc': `a` must have at most 2 characters."],
    [{ pattern: "^[a-z]+$" }, "'A1'", "'A1': `a` must match the pattern ^[a-z]+$"],
    [{ format: "date" }, "'yesterday'", "'yesterday': `a` must be a date, like 2025-11-22."],
    [{ minItems: 2 }, "[1]", "a: `a` must have at least 2 items."],
    [{ maxItems: 1 }, "[1, 2]", "a: `a` must have at most 1 item."],
    [{ uniqueItems: true }, "[1, 1]", "a: `a` must not have the same item twice."],
    [{ minProperties: 1 }, "{}", "a: `a` must have at least 1 key."],
    [{ maxProperties: 0 }, "{ b: 1 }", "a: `a` must have at most 0 keys."],
    [{ contains: { type: "string" } }, "[1]", "a: The schema demands another number of certain items."],
    [{ not: { type: "number" } }, "1", "1: The schema does not permit this value."],
    [false as unknown as object, "1", 'a: The schema does not permit the key "a" here.'],
  ])("with %j is not satisfied by %s", (keyword, value, fault) => {
    expect(found(`{ a: ${value} }`, properties({ a: keyword }))).toEqual([fault]);
  });

  it("marks a missing key at the object that lacks it", () => {
    const schema = properties({ a: { type: "object", required: ["b"] } }, { required: ["c"] });
    expect(found("{ a: { d: 1 } }", schema)).toEqual(['{: The key "c" is missing.', 'a: The key "b" is missing.']);
  });

  it("marks a missing item of a list's object at its opening brace", () => {
    const text = "{ a: [{ b: 1 }, { c: 1 }] }";
    const faults = schemaFaults(text, properties({ a: { items: { required: ["b"] } } }));
    expect(faults).toEqual([{ from: 16, to: 17, message: 'The key "b" is missing.', severity: "error" }]);
  });

  it("marks a key that is not permitted, wherever it is forbidden", () => {
    const message = ['b: The schema does not permit the key "b" here.'];
    expect(found("{ a: 1, b: { c: 1 } }", properties({ a: {} }, { additionalProperties: false }))).toEqual(message);
    expect(found("{ a: 1, b: { c: 1 } }", properties({ a: {} }, { unevaluatedProperties: false }))).toEqual(message);
  });

  it("marks a key whose name is not permitted", () => {
    expect(found("{ a: 1, 'B': 2 }", { propertyNames: { pattern: "^[a-z]" } })).toEqual([
      `'B': The key "B" is not permitted. Must match the pattern ^[a-z]`,
    ]);
  });

  it("demands one key beside another", () => {
    expect(found("{ a: 1 }", { dependentRequired: { a: ["b"] } })).toEqual(['{: The key "b" is missing. It is required beside "a".']);
  });

  it("reports every fault once, from the first place to the last", () => {
    const schema = { allOf: [properties({ b: { minimum: 5 } }), properties({ b: { minimum: 5 }, a: { type: "string" } })] };
    expect(found("{ a: 1, b: 2 }", schema)).toEqual(["1: `a` must be text in quotes, but is a number.", "2: `b` must be at least 5."]);
  });

  it("follows references, anchors and ids within the schema", () => {
    const schema = {
      $id: "https://example.com/schema",
      properties: { a: { $ref: "#/$defs/name" }, b: { $ref: "#age" }, c: { $ref: "other" } },
      $defs: {
        name: { type: "string", minLength: 2 },
        age: { $anchor: "age", maximum: 9 },
        other: { $id: "other", enum: [1] },
      },
    };
    expect(found("{ a: 'x', b: 10, c: 2 }", schema)).toEqual([
      "'x': `a` must have at least 2 characters.",
      "10: `b` must be at most 9.",
      "2: `c` must be 1.",
    ]);
  });

  it("finds its way to keys with any characters", () => {
    const key = "a/b~c %41#é";
    const text = `{ ${JSON.stringify(key)}: { ${JSON.stringify(key)}: 1 } }`;
    expect(found(text, properties({ [key]: properties({ [key]: { type: "string" } }) }))).toEqual([
      "1: `a/b~c %41#é` must be text in quotes, but is a number.",
    ]);
  });

  it("checks the last of equal keys", () => {
    expect(found("{ a: 1, a: 'x' }", properties({ a: { type: "number" } }))).toEqual([
      'a: The key "a" appears again below, and only the last one counts.',
      "'x': `a` must be a number, but is text in quotes.",
    ]);
  });

  it("treats __proto__ as a key like others", () => {
    expect(found("{ __proto__: 1 }", { additionalProperties: false })).toEqual([
      '__proto__: The schema does not permit the key "__proto__" here.',
    ]);
  });

  it("applies then or else", () => {
    const schema = "{ if: { properties: { a: { const: 1 } } }, then: { required: ['b'] }, else: { required: ['c'] } }";
    expect(found("{ a: 1 }", schema)).toEqual(['{: The key "b" is missing.']);
    expect(found("{ a: 2 }", schema)).toEqual(['{: The key "c" is missing.']);
  });
});

describe("a choice of forms", () => {
  const forms = [
    { type: "string" },
    { type: "object", properties: { kind: { const: "card" }, number: { type: "string" } }, required: ["kind", "number"] },
  ];

  it("is reported once if no form has the value's type", () => {
    expect(found("{ a: 1 }", properties({ a: { anyOf: forms } }))).toEqual(["1: Matches none of the forms that the schema permits."]);
  });

  it("shows the faults of the only form with the value's type", () => {
    expect(found("{ a: { kind: 'card' } }", properties({ a: { anyOf: forms } }))).toEqual(['a: The key "number" is missing.']);
    expect(found("{ a: { kind: 'card', number: 5 } }", properties({ a: { oneOf: forms } }))).toEqual([
      "5: `number` must be text in quotes, but is a number.",
    ]);
  });

  it("shows what the only list of values permits", () => {
    const choice = { anyOf: [{ enum: ["a", "b"] }, { type: "array" }] };
    expect(found("{ a: 'c' }", properties({ a: choice }))).toEqual([`'c': \`a\` must be "a" or "b".`]);
  });

  it("may not match two forms of oneOf", () => {
    expect(found("{ a: 5 }", properties({ a: { oneOf: [{ minimum: 1 }, { minimum: 2 }] } }))).toEqual([
      "5: `a` must match exactly one of the forms that the schema permits.",
    ]);
  });

  it("does not show faults of forms within a form that was not taken", () => {
    const schema = properties({ a: { anyOf: [{ type: "object", anyOf: [{ required: ["x"] }, { required: ["y"] }] }, { type: "null" }] } });
    expect(found("{ a: {} }", schema)).toEqual(["a: Matches none of the forms that the schema permits."]);
  });
});

describe("a schema that cannot be used", () => {
  const because = (schema: unknown) => schemaFaults("{ a: 1 }", schema).map(({ message, severity }) => `${severity}: ${message}`);

  it.each<[schema: unknown, why: string]>([
    ["{ type: ", "it is not a JSON Schema."],
    ["[]", "it is not a JSON Schema."],
    [7, "it is not a JSON Schema."],
    [{ $ref: "#/$defs/none" }, 'Unresolved $ref "#/$defs/none".'],
    [{ $ref: "#" }, "it refers to itself without end."],
    [{ $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }, "it refers to itself without end."],
  ])("%j is a warning, not an error of the text", (schema, why) => {
    expect(because(schema).map((text) => text.replace(/ {2}Absolute.*/, ""))).toEqual([`warning: The schema cannot be used here: ${why}`]);
  });

  it("with an invalid pattern gives a warning", () => {
    expect(because(properties({ a: { type: "number" } }, { patternProperties: { "(": {} } }))[0]).toMatch(
      /^warning: The schema cannot be used here: Invalid regular expression/,
    );
  });

  it("or with keywords of the wrong type is a warning", () => {
    expect(because({ required: 5 })).toEqual([expect.stringMatching(/^warning: The schema cannot be used here: /)]);
  });

  it("true permits and false forbids everything", () => {
    expect(because(true)).toEqual([]);
    expect(because(false)).toEqual(["error: The schema does not permit this here."]);
  });
});

describe("a large text", () => {
  it("has at most 100 faults", () => {
    const text = JSON.stringify({ a: Array.from({ length: 20_000 }, () => "x") });
    expect(text.length).toBeGreaterThan(80_000);
    expect(schemaFaults(text, properties({ a: { items: { type: "number" } } }))).toHaveLength(100);
  });

  it("has its first fault if there are too many for the stack", () => {
    const text = JSON.stringify({ a: Array.from({ length: 90_000 }, () => 1) });
    expect(found(text, properties({ a: { items: { type: "string" } } }))).toEqual(["1: Must be text in quotes, but is a number."]);
  });

  it("takes each of many choices of forms by itself", () => {
    const text = JSON.stringify({ a: Array.from({ length: 5_000 }, () => 1) });
    const faults = schemaFaults(text, properties({ a: { items: { anyOf: [{ type: "string" }, { type: "null" }] } } }));
    expect(faults).toHaveLength(100);
    expect(new Set(faults.map(({ message }) => message))).toEqual(new Set(["Matches none of the forms that the schema permits."]));
  });

  it("stays the same, as does the schema", () => {
    const schema = Object.freeze({ $ref: "#/$defs/a", $defs: Object.freeze({ a: Object.freeze({ type: "object" }) }) });
    expect(schemaFaults("{}", schema)).toEqual([]);
  });
});
