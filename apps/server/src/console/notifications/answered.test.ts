import { expect, test } from "vitest";
import { answeredBy } from "./answered.ts";

const answered = (entityType: string, before: object | null, after: object) =>
  answeredBy({
    ...{ entityType, actorID: "ada" },
    before: before && JSON.stringify({ id: "one", createdTime: 5, approvals: [], ...before }),
    after: JSON.stringify({ id: "one", createdTime: 5, approvals: [], ...after }),
  });

test("requests are answered for everyone when the review closes, and for the approver after one of several approvals", () => {
  const request = { event: "REVIEW_REQUESTED", opens: { type: "review", id: "one" }, since: 5 };
  const approvals = [{ isApproved: true }];
  for (const status of ["APPROVED", "REJECTED", "CANCELED", "COMMITTED"])
    expect(answered("review", { status: "PENDING" }, { status, approvals })).toEqual({ ...request, personID: null });
  expect(answered("review", { status: "PENDING" }, { status: "PENDING", approvals })).toEqual({ ...request, personID: "ada" });
  expect(answered("review", { status: "PENDING" }, { status: "PENDING" })).toBe(undefined);
  expect(answered("review", null, { status: "PENDING" })).toBe(undefined);
  expect(answered("review", { status: "APPROVED" }, { status: "COMMITTED" })).toBe(undefined);
});

test("requests to approve a phase are answered when the release moves on or ends", () => {
  const request = { event: "ROLLOUT_NEEDS_APPROVAL", opens: { type: "release", id: "one" }, since: 5, personID: null };
  const waiting = { status: "WAITING_FOR_REVIEW", currentPhaseID: "first" };
  expect(answered("release", waiting, { status: "RUNNING", currentPhaseID: "first" })).toEqual(request);
  expect(answered("release", waiting, { ...waiting, currentPhaseID: "second" })).toEqual(request);
  expect(answered("release", waiting, waiting)).toBe(undefined);
  expect(answered("release", { ...waiting, status: "RUNNING" }, waiting)).toBe(undefined);
});
