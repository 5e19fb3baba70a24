import { expect, test } from "vitest";
import { versionText } from "./version-text.ts";

const BARE = { id: "v1", name: "First", description: "", prompts: [], createdTime: 1, creatorID: "key_1", creatorName: "Ada" };

test("a version is shown as its description, parameters, messages and workflow body", () => {
  const version = {
    ...BARE,
    description: "Polite.",
    prompts: [
      { role: "system" as const, content: "You are polite." },
      { role: "user" as const, content: "Greet {{name}}." },
    ],
    model: "small",
    temperature: 0,
    workflow_body: { type: "JSON" as const, value: "{}" },
  };
  expect(versionText(version)).toBe(
    "Polite.\n\nModel: small\nTemperature: 0\n\n[system]\nYou are polite.\n\n[user]\nGreet {{name}}.\n\nWorkflow body:\n{}",
  );
  expect(versionText(BARE)).toBe("");
});
