import { expect, test } from "vitest";
import { approvedByText } from "./review-words.ts";

test("the approvals of the current revision are named, each person once", () => {
  const by = (name: string, revision: number, isApproved = true) => ({
    ...{ reviewer: { id: name, name, email: null }, revision, isApproved, note: "", time: 1 },
  });
  const approvals = [by("Old", 1), by("Ada", 2), by("Ada", 2), by("Grace", 2), by("Rosa", 2, false)];
  expect(approvedByText({ approvals, revision: 2 })).toBe("Approved by Ada and Grace.");
  expect(approvedByText({ approvals, revision: 3 })).toBe(undefined);
});
