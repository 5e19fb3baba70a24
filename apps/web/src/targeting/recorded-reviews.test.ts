import { expect, test } from "vitest";
import { changeWords } from "./change-words.ts";
import { toText } from "./parts.ts";
import type { EntityChange } from "./types.ts";

const ann = { id: "p1", name: "Ann", email: "ann@example.com" };
const kim = { id: "p2", name: "", email: "kim@example.com" };
const wordsOf = (...fields: EntityChange["fields"]) =>
  changeWords({ entityType: "review", entityID: "r1", fields } as EntityChange).flatMap(({ changes }) =>
    changes.map(({ parts }) => toText(parts)),
  );

test("decisions and comments name their people, and quote them", () => {
  const approval = { reviewer: ann, revision: 1, isApproved: true, note: "Looks good.", time: 1 };
  const rejection = { reviewer: kim, revision: 1, isApproved: false, note: "", time: 2 };
  expect(
    wordsOf(
      { field: "approvals", before: [approval], after: [approval, rejection] },
      { field: "comments", before: [], after: [{ author: ann, text: "Why?", time: 1 }] },
      { field: "status", before: "PENDING", after: "REJECTED" },
      { field: "requirements[0].isMet", before: false, after: true },
    ),
  ).toEqual(["Rejected by kim@example.com", "Comment by Ann: “Why?”", "Status: Needs approval → Rejected"]);
  expect(wordsOf({ field: "approvals", before: [], after: [approval] })).toEqual(["Approved by Ann: “Looks good.”"]);
});

test("a new revision says so once, with its reason", () => {
  expect(
    wordsOf(
      { field: "body.rules[0].name", before: "a", after: "b" },
      { field: "body.isEnabled", before: true, after: false },
      { field: "revision", before: 1, after: 2 },
      { field: "moved", before: null, after: "The gate changed." },
    ),
  ).toEqual(["Request changed", "Revision: 1 → 2", "Needs another approval: The gate changed."]);
});

test("a new review names only the people who were asked", () => {
  const given = { id: "r1", operationId: "batch", status: "PENDING", revision: 1, approvals: [], reviewers: [ann, kim], body: {} };
  expect(wordsOf(...Object.entries(given).map(([field, after]) => ({ field, before: null, after })))).toEqual([
    "Asked to review: + Ann, kim@example.com",
  ]);
});
