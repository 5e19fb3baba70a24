import { expect, test } from "vitest";
import { findVerb } from "./palette-verbs.ts";

test.each([
  ["disable new checkout", "disable", "new checkout"],
  ["Turn  OFF  New checkout ", "disable", "New checkout"],
  ["enable", "enable", ""],
  ["copy link to sale", "copy-link", "sale"],
  ["copy link sale", "copy-link", "sale"],
  ["unarchive sale", "unarchive", "sale"],
  ["Start short checkout", "start", "short checkout"],
  ["ship checkout", "decide", "checkout"],
])("“%s” is the action %s on entities named “%s”", (text, id, name) => {
  const found = findVerb(text);
  expect([found?.verb.id, found?.name]).toEqual([id, name]);
});

test.each(["", "enabled", "turn", "new checkout", "launches", "no delete"])("“%s” is no action", (text) => {
  expect(findVerb(text)).toBeUndefined();
});
