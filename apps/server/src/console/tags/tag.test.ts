import { expect, test } from "vitest";
import { CORE_TAG } from "../common/needs.ts";
import { changeTag, newTag, requireDeletable } from "./tag.ts";

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "default", operationID: "createTag", now: 1000 };

test("a new tag is not core unless its name is ★ Core", () => {
  expect(newTag({ name: "checkout" }, context)).toMatchObject({ name: "checkout", description: "", isCore: false, version: 1 });
  expect(newTag({ name: CORE_TAG }, context).isCore).toBe(true);
});

test("a change keeps what is not given", () => {
  const tag = newTag({ name: "checkout", description: "All of it.", isCore: true }, context);
  const changed = changeTag(tag, { name: "cart" }, { ...context, now: 2000 });
  expect(changed).toEqual({ ...tag, name: "cart", lastModifiedTime: 2000, version: 2 });
});

test.each([{ name: "Core" }, { isCore: false }, { name: "Core", isCore: false }])("★ Core rejects %j", (given) => {
  const tag = newTag({ name: CORE_TAG }, context);
  expect(() => changeTag(tag, given, context)).toThrow("Every project has the core tag ★ Core: only its description can change.");
});

test("the description of ★ Core can change, even if the body repeats its other fields", () => {
  const tag = newTag({ name: CORE_TAG }, context);
  expect(changeTag(tag, { name: CORE_TAG, isCore: true, description: "What matters." }, context).description).toBe("What matters.");
});

test("only ★ Core cannot be deleted", () => {
  expect(() => requireDeletable(newTag({ name: CORE_TAG }, context))).toThrow(
    "Every project has the core tag ★ Core: it cannot be deleted.",
  );
  expect(() => requireDeletable(newTag({ name: "checkout", isCore: true }, context))).not.toThrow();
});
