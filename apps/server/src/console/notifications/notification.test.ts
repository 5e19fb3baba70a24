import { expect, test } from "vitest";
import { draftsOf } from "./drafts.ts";
import { describeNotification, type Happening } from "./notification.ts";

const gate = { type: "gate", id: "new_checkout", name: "New checkout" };
const happening: Happening = {
  ...{ event: "REVIEW_REQUESTED", opens: { type: "review", id: "a/b", name: null }, about: gate, aboutCount: 1 },
  ...{ actorName: "Ada", said: null },
};

test("a text names the first of several entities, and someone without a name", () => {
  expect(describeNotification({ ...happening, aboutCount: 3, actorName: null }, "web shop")).toEqual({
    title: "Review requested",
    text: "Someone wants to change 3 entities, including the gate New checkout and asks for your approval.",
    link: "/projects/web%20shop/reviews/a%2Fb",
  });
});

test("a text has at most 300 characters of what was said, and no half letters", () => {
  const { text } = describeNotification({ ...happening, event: "REVIEW_COMMENTED", said: `${"x".repeat(298)}😀 and more` }, "default");
  expect(text).toBe(`Ada commented on your changes to the gate New checkout: “${"x".repeat(298)}…”`);
});

const release = {
  id: "r",
  gateID: "new_checkout",
  creatorID: "ada",
  status: "IN_PROGRESS",
  currentPhaseID: "staff",
  currentPhase: "Staff",
  breaches: [],
};
const moved = (after: object) =>
  draftsOf({
    entityType: "release",
    entityID: "r",
    time: 1,
    before: JSON.stringify(release),
    after: JSON.stringify({ ...release, ...after }),
  });

test("a release notifies only when it is paused by a person or a guardrail, aborted or complete", () => {
  const to = { ownerOf: { type: "gate", id: "new_checkout" }, and: "ada" };
  const breaches = [{ kind: "METRIC", id: "m", reason: "It is worse.", isAcknowledged: false }];
  expect(moved({ status: "PAUSED" })).toMatchObject([{ event: "ROLLOUT_PAUSED", said: null, to }]);
  expect(moved({ status: "PAUSED", breaches })).toMatchObject([{ event: "ROLLOUT_PAUSED_BY_GUARDRAIL", said: "It is worse.", to }]);
  expect(moved({ status: "ABORTED", currentPhaseID: null })).toMatchObject([{ event: "ROLLOUT_ABORTED", to }]);
  expect(moved({ status: "COMPLETED", currentPhaseID: null })).toMatchObject([{ event: "ROLLOUT_FINISHED", to }]);
  expect([moved({ currentPhaseID: "next" }), moved({ description: "New." })]).toEqual([[], []]);
});

test("a gate notifies of each metric that newly pauses its rollouts", () => {
  const rules = [{ passPercentage: 10, pendingAutomatedRollouts: [{ time: 5, passPercent: 100 }] }];
  const pausedBy = [{ ruleID: "a", metricID: "errors::event_count", pausedTime: 1 }];
  const change = (before: object, after: object) =>
    draftsOf({ entityType: "gate", entityID: "g", time: 1, before: JSON.stringify(before), after: JSON.stringify(after) });
  expect(change({ rules }, { rules, pausedBy })).toMatchObject([
    {
      event: "ROLLOUT_PAUSED_BY_GUARDRAIL",
      said: "A metric got worse than its guardrail allows:",
      metrics: [{ name: "errors", type: "event_count" }],
      to: { ownerOf: { type: "gate", id: "g" } },
    },
  ]);
  expect(change({ rules, pausedBy }, { rules, pausedBy })).toEqual([]);
});
