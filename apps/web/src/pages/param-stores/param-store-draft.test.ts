import { expect, test } from "vitest";
import { setFields } from "../../saving/draft-model.ts";
import { parsed, toText } from "../../targeting/typed-values.ts";
import { numberNotation } from "../../ui/parse-number.ts";
import { addParameter, faultsOfDraft, type ParamStore, paramStoreModel, toWriteRequests } from "./param-store-draft.ts";

const [ENGLISH, GERMAN] = [numberNotation("en-US"), numberNotation("de")];

const PARAMETERS: ParamStore["parameters"] = [
  { name: "coupons", ref_type: "static", param_type: "boolean", value: true },
  { name: "columns", ref_type: "gate", param_type: "number", gate_name: "new_checkout", pass_value: 1, fail_value: 2 },
  { name: "color", ref_type: "layer", param_type: "string", layer_name: "checkout", param_name: "color" },
  { name: "limits", ref_type: "dynamic_config", param_type: "object", config_name: "limits", param_name: "all" },
  { name: "text", ref_type: "experiment", param_type: "string", experiment_name: "wording", param_name: "text" },
];
const STORE = { id: "checkout", name: "checkout", description: "", parameters: PARAMETERS } as unknown as ParamStore;
const stored = { entity: STORE, etag: '"1"' };
const draft = paramStoreModel.createDraft(stored, paramStoreModel.storedParts(stored));

test("each source is edited and stored with its fields and no others", () => {
  expect(toWriteRequests(draft)).toEqual([]);
  const renamed = setFields(draft, { parameters: draft.fields.parameters.map((one) => ({ ...one, name: `my_${one.name}` })) });
  expect(toWriteRequests(renamed)).toEqual([
    {
      operationId: "updateParamStore",
      path: { name: "checkout" },
      body: { parameters: PARAMETERS.map((one) => ({ ...one, name: `my_${one.name}` })) },
      ifMatch: '"1"',
    },
  ]);
});

test("another source drops the fields of the one before", () => {
  const [, gate] = draft.fields.parameters;
  const changed = setFields(draft, { parameters: [{ ...gate, source: "static", value: "3" } as typeof gate & object] });
  expect(toWriteRequests(changed)).toMatchObject([
    { body: { parameters: [{ name: "columns", ref_type: "static", param_type: "number", value: 3 }] } },
  ]);
});

test("missing fields are named at their places", () => {
  const [fresh] = addParameter([]);
  if (!fresh) throw new Error("no parameter");
  const parameters = [
    { ...fresh, type: "number" as const },
    { ...fresh, source: "gate" as const, type: "boolean" as const, passValue: "true" },
    { ...fresh, name: "", source: "layer" as const, entity: "checkout" },
  ];
  expect(faultsOfDraft(setFields(draft, { parameters })).map(({ property, message }) => `${property}: ${message}`)).toEqual([
    "parameters[0].value: Enter a number.",
    "parameters[1].name: Another parameter has this name.",
    "parameters[1].entity: Choose one.",
    "parameters[1].fail_value: Enter true or false.",
    "parameters[2].name: Enter a name.",
    "parameters[2].param_name: Enter the name of the parameter.",
  ]);
});

test("a German reader types and sees numbers with a decimal comma, and JSON as it is", () => {
  expect(["2,5", "1.234,5", "2.5", "2,5 €", ""].map((text) => parsed("number", text, GERMAN))).toEqual([
    2.5,
    1234.5,
    2.5,
    undefined,
    undefined,
  ]);
  expect(parsed("array", "[2.5]", GERMAN)).toEqual([2.5]);
  expect([2.5, 1234.5, [2.5]].map((value) => toText(value, GERMAN))).toEqual(["2,5", "1234,5", "[2.5]"]);
});

test.each([1.234, 1e-25, 1.5e-25, 1e300, -0.1, Number.MAX_SAFE_INTEGER])("%d is read as it is shown", (number) => {
  for (const numbers of [ENGLISH, GERMAN]) expect(parsed("number", toText(number, numbers), numbers)).toBe(number);
});
