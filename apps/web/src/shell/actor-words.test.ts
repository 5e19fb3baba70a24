import { expect, test } from "vitest";
import { actorWords } from "./actor-words.ts";

test.each([
  ["system", "GATEHOUSE", "Gatehouse"],
  ["anonymous", "ANONYMOUS", "Someone without an account"],
  ["key_ci", "CONSOLE API", "Key “Deployments”"],
  ["key_other", "CONSOLE API", "Console key"],
  ["ada", "Ada", "Ada"],
  ["bob", null, "bob@example.com"],
  ["eve", null, "Unnamed user"],
])("the actor %s, whom the server names %s, is %s in words", (id, name, words) => {
  expect(actorWords({ id, name }, { key_ci: "Deployments", key_other: "", bob: "bob@example.com" })).toBe(words);
});
