import { expect, test } from "vitest";
import type { Changes } from "../../api.ts";
import { changedFields, describeEndpoint, type Endpoint, shownWrite } from "./model-words.ts";

const STORED: Endpoint = { url: "https://models.example.com/v1", defaultModel: "small", keyTime: 1, version: 3 };

const change = (fields: Record<string, [before: unknown, after: unknown]>): Changes => [
  {
    entityType: "model_endpoint",
    entityID: "shop",
    fields: Object.entries(fields).map(([field, [before, after]]) => ({ field, before, after })),
  } as Changes[number],
];
const lines = (changes: Changes) =>
  describeEndpoint(changes).flatMap((entity) => entity.changes.map(({ parts }) => parts.map(({ text }) => text).join(" ")));

test("a first endpoint is described by its URL, its model and that it has a key", () => {
  const changes = change({ url: [null, STORED.url], defaultModel: [null, "small"], keyTime: [null, 1], version: [0, 1] });
  expect(lines(changes)).toEqual([
    "Base URL : none → https://models.example.com/v1",
    "Default model : none → small",
    "API key : none → the new one",
  ]);
});

test("a new API key alone counts as a change", () => {
  expect(lines(change({ keyTime: [1, 2], version: [1, 2] }))).toEqual(["API key : the stored one → the new one"]);
});

test("a request has only the fields that differ from the stored ones", () => {
  const same = { url: STORED.url ?? "", defaultModel: "small", apiKey: " " };
  expect(changedFields(STORED, same)).toEqual({});
  expect(changedFields(STORED, { ...same, defaultModel: "" })).toEqual({ defaultModel: null });
  expect(changedFields(STORED, { ...same, url: "https://other.example.com/v1 ", apiKey: "sk-secret" })).toEqual({
    url: "https://other.example.com/v1",
    apiKey: "sk-secret",
  });
});

test("the review shows a placeholder for the API key", () => {
  expect(shownWrite({ apiKey: "sk-secret" }, '"3"')).toEqual({
    operationId: "patchModelEndpoint",
    body: { apiKey: "API_KEY" },
    ifMatch: '"3"',
  });
});
