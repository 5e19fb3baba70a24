import { expect, test } from "vitest";
import { placeholdersIn, toBody, toDraft, type Version } from "./version-draft.ts";

const VERSION: Version = {
  ...{ id: "v1", name: "First", description: "", createdTime: 1, creatorID: "key_1", creatorName: "Ada" },
  prompts: [{ role: "user", content: "Greet {{name}}." }],
  ...{ model: "small", temperature: 0, top_p: 0.5 },
};

test("a draft begins with the messages of a version, and takes over parameters without a field", () => {
  expect(toBody(toDraft(VERSION), VERSION)).toEqual({ prompts: VERSION.prompts, model: "small", temperature: 0, top_p: 0.5 });
  expect(toBody(toDraft(undefined), undefined)).toEqual({ prompts: [] });
});

test("placeholders are found in each form once", () => {
  const content =
    "{{name}} {{{ order }}} {{&name}} {{#tone}}Be {{tone}}.{{/tone}}{{^tone}}-{{/tone}} {{! a note }} {{> part}} {{first name}}";
  expect(placeholdersIn([{ role: "user", content }])).toEqual(["name", "order", "tone", "first name"]);
});
