import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { typeOfSchema } from "../src/types/from-schema.ts";
import { createWorkspace } from "./servers.ts";

const { folder, gatehouse, remove } = createWorkspace();
beforeAll(() => cpSync(fileURLToPath(new URL("./fixture/application.ts", import.meta.url)), join(folder, "application.ts")));
afterAll(remove);

const PROJECT = {
  gates: [{ id: "new_checkout", name: "New checkout", description: "The checkout on one page." }],
  dynamicConfigs: [
    {
      id: "checkout_settings",
      name: "Settings",
      schemaJson5: `{
        // Retries are optional.
        type: "object",
        properties: { retries: { type: "integer" }, mode: { enum: ["fast", "safe"] } },
        required: ["mode"],
      }`,
    },
    { id: "hosts", name: "Hosts", defaultValue: { names: ["a"] }, rules: [{ name: "Beta", returnValue: { names: ["b"], port: 1 } }] },
  ],
  experiments: [
    {
      id: "button_color",
      name: "Color",
      groups: [
        { name: "A", parameterValues: { color: "red" } },
        { name: "B", parameterValues: { color: "blue", label: "Pay" } },
      ],
    },
  ],
  layers: [{ id: "checkout-page", name: "Page", parameters: [{ name: "columns", type: "number", defaultValue: 2 }] }],
  paramStores: [{ name: "texts", parameters: [{ name: "title", param_type: "string", ref_type: "static", value: "Hi" }] }],
};

/** The errors of the application, compiled with the module of a project. */
async function compile(project: object): Promise<string[]> {
  writeFileSync(join(folder, "project.json"), JSON.stringify(project));
  await gatehouse(["types", "--files", "project.json", "--out", "gatehouse.ts"]);
  const options = { strict: true, noEmit: true, allowImportingTsExtensions: true, module: ts.ModuleKind.NodeNext, types: [] };
  const program = ts.createProgram([join(folder, "application.ts")], options);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

describe("the module that types writes", () => {
  test("is one against which an application compiles", async () => {
    expect(await compile(PROJECT)).toEqual([]);
    expect(readFileSync(join(folder, "gatehouse.ts"), "utf8")).toContain(
      "export interface Gates {\n  /** The checkout on one page. */\n  new_checkout: boolean;\n}",
    );
  });

  test.each<[string, object, string]>([
    ["a gate", { gates: [] }, "Argument of type '\"new_checkout\"' is not assignable"],
    ["a parameter of a layer", { layers: [{ ...PROJECT.layers[0], parameters: [] }] }, "Property 'columns' does not exist"],
    [
      "a parameter of an experiment",
      { experiments: [{ ...PROJECT.experiments[0], groups: [{ name: "A", parameterValues: { label: "Pay" } }] }] },
      "Property 'color' does not exist",
    ],
    [
      "a value of a config",
      { dynamicConfigs: [PROJECT.dynamicConfigs[0], { id: "hosts", name: "Hosts", defaultValue: { port: 1 } }] },
      "Property 'names' does not exist",
    ],
  ])("breaks the application when %s disappears", async (_, change, message) => {
    const [first, ...others] = await compile({ ...PROJECT, ...change });
    expect([first, others.length]).toEqual([expect.stringContaining(message), expect.any(Number)]);
  });

  test("is checked without being written", async () => {
    await compile(PROJECT);
    const check = () => gatehouse(["types", "--files", "project.json", "--out", "gatehouse.ts", "--check"]);
    expect((await check()).code).toBe(0);
    writeFileSync(join(folder, "project.json"), JSON.stringify({ ...PROJECT, gates: [] }));
    expect((await check()).code).toBe(2);
  });

  test("is named in the JSON of --json, which says whether it was up to date", async () => {
    await compile(PROJECT);
    writeFileSync(join(folder, "project.json"), JSON.stringify({ ...PROJECT, gates: [] }));
    const types = async (...options: string[]) =>
      JSON.parse((await gatehouse(["types", "--files", "project.json", "--out", "gatehouse.ts", "--json", ...options])).stdout);
    expect(await types("--check")).toEqual({ file: "gatehouse.ts", isCurrent: false });
    expect([await types(), await types()]).toEqual([{ written: ["gatehouse.ts"] }, { written: [] }]);
  });
});

test.each<[string, object, string]>([
  ["a nullable integer", { type: ["integer", "null"] }, "number | null"],
  ["a choice", { oneOf: [{ const: "a" }, { type: "array", items: { enum: [1, null] } }] }, '"a" | (1 | null)[]'],
  ["a map", { type: "object", additionalProperties: { type: "boolean" } }, "{\n  [name: string]: boolean;\n}"],
  ["a reference", { $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, "string"],
  ["a schema that contains itself", { type: "array", items: { $ref: "#" } }, "unknown[][]"],
  ["another document", { $ref: "https://example.com/schema.json" }, "unknown"],
  [
    "parts",
    {
      allOf: [
        { type: "object", properties: { a: {} } },
        { type: "object", properties: { b: {} } },
      ],
    },
    "{\n  a?: unknown;\n} & {\n  b?: unknown;\n}",
  ],
])("%s of a JSON Schema has its type", (_, schema, expected) => {
  expect(typeOfSchema(schema)).toBe(expected);
});
