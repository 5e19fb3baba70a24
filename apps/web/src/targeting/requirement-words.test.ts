import type { Schema } from "@gatehouse/client";
import { describe, expect, it } from "vitest";
import { approversText, ownReviewText, reasonTexts, requirementText, reviewAsked } from "./requirement-words.ts";

type Requirement = Schema<"ReviewRequirement">;

const requirement = (given: Partial<Requirement>): Requirement => ({
  ...{ kind: "ENVIRONMENT", name: "production", team: null, people: null, isMet: false },
  ...given,
});
const team = { id: "t", name: "Checkout", adminsOnly: false };
const ada = { id: "a", name: "Ada", email: "ada@example.com" };

describe("requirementText", () => {
  it.each([
    [{}, "Changes to what users get in production need a review."],
    [{ kind: "PROJECT", name: "is_metric_review_required" }, "This project requires a review of changes to metrics."],
    [{ kind: "TEAM", name: "Checkout" }, "Changes to entities of the team Checkout need a review."],
    [{ kind: "ENTITY", name: "new_checkout" }, "Changes to new_checkout need a review."],
    [{ kind: "AUTHOR", name: "requestReview" }, "The author asked for a review."],
    [{ kind: "PUBLISH" }, "The author’s role can’t change what users get in production. Someone whose role can must approve this."],
    [{ kind: "SAFEGUARD" }, "This change loosens a review requirement (production)."],
    [{ kind: "SAFEGUARD", name: "is_config_review_required" }, "This change loosens a review requirement (changes to what users get)."],
  ] as const)("%o is “%s”", (given, words) => {
    expect(requirementText(requirement(given))).toBe(words);
  });

  it("is listed once if several requirements have the same reason", () => {
    expect(reasonTexts([requirement({}), requirement({ team })])).toEqual(["Changes to what users get in production need a review."]);
  });

  it("names all environments at once", () => {
    const given = [requirement({ kind: "ENTITY", name: "a" }), ...["dev", "test", "production"].map((name) => requirement({ name }))];
    expect(reasonTexts(given)).toEqual([
      "Changes to what users get in dev, test, and production need a review.",
      "Changes to a need a review.",
    ]);
  });
});

describe("ownReviewText", () => {
  const publish = requirement({ kind: "PUBLISH", name: "production" });
  const limit = "Your role can’t change what users get in production. Someone whose role can must approve this.";
  it.each([
    [[publish], limit],
    [[requirement({ name: "staging" }), publish], `Changes to what users get in staging need a review. ${limit}`],
    [
      [publish, requirement({ kind: "TEAM", name: "Checkout", team })],
      `${limit} Changes to entities of the team Checkout need a review. It needs approval from a member of the team Checkout.`,
    ],
    [
      [requirement({ kind: "AUTHOR", name: "requestReview" })],
      "You asked for a review. Anyone whose role can approve changes can approve this one. You can’t approve your own change.",
    ],
  ])("addresses the author, and says once who must approve %#", (given, words) => {
    expect(ownReviewText(given, "barred author")).toBe(words);
  });

  it("says that authors can’t approve their own change only to those who can’t", () => {
    expect(ownReviewText([requirement({ kind: "AUTHOR", name: "requestReview" })], "author")).toBe(
      "You asked for a review. Anyone whose role can approve changes can approve this one.",
    );
  });
});

describe("reviewAsked", () => {
  it("asks for a review if only the author’s limits stand against a request, which is refused otherwise", () => {
    const publish = requirement({ kind: "PUBLISH" });
    expect([[], [publish], [publish, requirement({})]].map(reviewAsked)).toEqual([{}, { review: { reviewers: [] } }, {}]);
  });
});

describe("approversText", () => {
  it.each([
    [
      [{}],
      "Anyone whose role can approve changes can approve this one. The author can only approve it if their role allows approving their own changes.",
    ],
    [[{ isMet: true, team }], "It has every approval that it needs."],
    [[{ team }, { team }], "It needs approval from a member of the team Checkout."],
    [[{ team: { ...team, adminsOnly: true } }], "It needs approval from an admin of the team Checkout."],
    [
      [{ people: [ada, { id: "k", name: "", email: "kim@example.com" }] }, { team }],
      "It needs approval from Ada or kim@example.com, and from a member of the team Checkout.",
    ],
    [
      [{}, { kind: "PUBLISH" as const, name: "staging" }, { kind: "PUBLISH" as const }],
      "It needs approval from someone whose role can change what users get in staging and production.",
    ],
    [[{ team, people: [ada] }], "It needs approval from Ada, as a member of the team Checkout."],
    [
      [{}, { team, isMet: true }],
      "Anyone whose role can approve changes can approve this one. The author can only approve it if their role allows approving their own changes.",
    ],
  ])("names who can meet the open requirements %#", (given, words) => {
    expect(approversText(given.map(requirement))).toBe(words);
  });
});
