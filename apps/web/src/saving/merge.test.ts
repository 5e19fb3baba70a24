import { expect, test } from "vitest";
import { findConflicts, merge } from "./merge.ts";

const base = { name: "A", tags: ["x"], rules: [1, 2] };

test("a field that only I changed keeps my value", () => {
  const mine = { ...base, name: "Mine" };
  expect(findConflicts(base, mine, { ...base, tags: ["y"] })).toEqual([]);
  expect(merge(base, mine, { ...base, tags: ["y"] }, {})).toEqual({ name: "Mine", tags: ["y"], rules: [1, 2] });
});

test("a field that both changed alike is no conflict", () => {
  const both = { ...base, name: "Same" };
  expect(findConflicts(base, both, { ...both })).toEqual([]);
  expect(merge(base, both, { ...both }, {})).toEqual(both);
});

test("a field that both changed differently is a conflict, and the choice decides", () => {
  const mine = { ...base, rules: [1] };
  const theirs = { ...base, rules: [2] };
  expect(findConflicts(base, mine, theirs)).toEqual([{ field: "rules", before: [1, 2], mine: [1], theirs: [2] }]);
  expect(merge(base, mine, theirs, { rules: "mine" }).rules).toEqual([1]);
  expect(merge(base, mine, theirs, { rules: "theirs" }).rules).toEqual([2]);
});
