import { expect, test } from "vitest";
import { comment, decide, newReview } from "./review.ts";

const context = { actor: { id: "ada", name: "Ada", email: "ada@example.com" }, projectID: "default", operationID: "patchGate", now: 1 };
const requirement = { kind: "ENVIRONMENT" as const, name: "production", team: null, people: null, isMet: false };
const request = { operationId: "patchGate", path: { id: "g" }, query: {}, body: {}, ifMatch: null, entities: [], changes: [] };
const review = newReview({ ...request, applyAt: null, reviewers: [], requirements: [requirement] }, context);

test("a review takes 500 comments, and as many approvals and rejections", () => {
  const full = { ...review, comments: Array.from({ length: 499 }, () => ({ author: review.author, text: "Yes.", time: 1 })) };
  const last = comment(full, "No.", context);
  expect(last.comments).toHaveLength(500);
  expect(() => comment(last, "Or yes?", context)).toThrow(`Review ${review.id} has 500 comments. It can have no more.`);
  const approvals = Array.from({ length: 500 }, () => ({ reviewer: review.author, revision: 1, isApproved: true, note: "", time: 1 }));
  expect(() => decide({ ...review, approvals }, { isApproved: true }, [true], context)).toThrow("has 500 approvals and rejections");
});

test("a review is approved once each of its requirements is met, if by different people", () => {
  const both = newReview(
    { ...request, applyAt: null, reviewers: [], requirements: [requirement, { ...requirement, name: "staging" }] },
    context,
  );
  const first = decide(both, { isApproved: true }, [true, false], context);
  expect([first.status, first.requirements.map(({ isMet }) => isMet)]).toEqual(["PENDING", [true, false]]);
  expect(decide(first, { isApproved: true }, [false, true], context).status).toBe("APPROVED");
});
