import { expect, test } from "vitest";
import { setFields } from "../../saving/draft-model.ts";
import { addParameter, faultsOfDraft, type Layer, layerModel, toWriteRequests } from "./layer-draft.ts";

const LAYER = {
  id: "checkout",
  name: "Checkout",
  description: "",
  parameters: [
    { name: "color", type: "string", defaultValue: "blue", description: null },
    { name: "limits", type: "object", defaultValue: { items: 20 } },
  ],
} as unknown as Layer;
const stored = { entity: LAYER, etag: '"1"' };
const draft = layerModel.createDraft(stored, layerModel.storedParts(stored));

test("values are edited as texts, and stored with their type", () => {
  expect(draft.fields.parameters.map(({ text }) => text)).toEqual(["blue", '{"items":20}']);
  expect(toWriteRequests(draft)).toEqual([]);
  const [color, limits] = draft.fields.parameters;
  const changed = setFields(draft, {
    parameters: [
      { ...color, text: "5" },
      { ...limits, text: '{"items": 5}' },
    ] as never,
  });
  expect(toWriteRequests(changed)).toMatchObject([
    { operationId: "patchLayer", body: { parameters: [{ defaultValue: "5" }, { defaultValue: { items: 5 } }] }, ifMatch: '"1"' },
  ]);
});

test("a new parameter is a text under a free name", () => {
  expect(addParameter(addParameter([])).map(({ name, type }) => [name, type])).toEqual([
    ["parameter", "string"],
    ["parameter 2", "string"],
  ]);
});

test("names are there and differ, and values have their type", () => {
  const parameters = [
    { name: " ", type: "string" as const, text: "", description: "" },
    { name: "a", type: "number" as const, text: "1px", description: "" },
    { name: "a", type: "array" as const, text: "[]", description: "" },
  ];
  expect(faultsOfDraft(setFields(draft, { parameters })).map(({ property, message }) => [property, message])).toEqual([
    ["parameters[0].name", "Enter a name."],
    ["parameters[1].defaultValue", "Enter a number."],
    ["parameters[2].name", "Another parameter has this name."],
  ]);
});
