import { expect, test } from "vitest";
import { newGrader, toGrader } from "./graders.ts";

test("a grader is sent with the fields of its type that have a value", () => {
  const edited = { name: " Same ", value: "{{order}}", ignoreCase: true, pattern: "^a", schema: "", prompt: "Is it polite?" };
  expect(toGrader({ ...edited, type: "contains" })).toEqual({ name: "Same", type: "contains", value: "{{order}}", ignoreCase: true });
  expect(toGrader({ ...edited, type: "regex" })).toEqual({ name: "Same", type: "regex", pattern: "^a" });
  expect(toGrader({ ...edited, type: "json_schema" })).toEqual({ name: "Same", type: "json_schema" });
  expect(toGrader({ ...edited, type: "prompt" })).toEqual({ name: "Same", type: "prompt", prompt: "Is it polite?" });
  expect(toGrader({ name: "Same", type: "equals", value: "", ignoreCase: false })).toEqual({ name: "Same", type: "equals" });
});

test("a new grader has a free name", () => {
  const first = newGrader([]);
  expect([first, newGrader([first])].map(({ name }) => name)).toEqual(["Grader", "Grader 2"]);
});
