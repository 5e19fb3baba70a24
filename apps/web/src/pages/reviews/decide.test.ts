import { describe, expect, it } from "vitest";
import type { Schema } from "../../api.ts";
import { approving, canceling, type Offer, publishing, type Reader, rejecting, revising } from "./decide.ts";

type Review = Schema<"Review">;
type Requirement = Schema<"ReviewRequirement">;

const requirement = (given: Partial<Requirement> = {}): Requirement => ({
  ...{ kind: "ENVIRONMENT", name: "production", team: null, people: null, isMet: false },
  ...given,
});
const review = (given: Partial<Review> = {}) =>
  ({ status: "PENDING", author: { id: "ada", name: "Ada", email: "ada@example.com" }, requirements: [requirement()], ...given }) as Review;
const reader = (id: string, ...permissions: (keyof Reader["permissions"])[]): Reader => ({
  ...{ id, email: `${id}@example.com`, publishesIn: null },
  permissions: Object.fromEntries(permissions.map((name) => [name, true])),
});
const [ada, grace] = [reader("ada", "approve_reviews", "edit_or_delete_configs"), reader("grace", "approve_reviews")];
const checkout = { id: "checkout", name: "Checkout", adminsOnly: false };
const teams = [{ id: "checkout", members: [{ email: "Grace@example.com" }], admins: [] }] as unknown as Parameters<typeof approving>[2];
const can = (offer: Offer) => (offer === "absent" ? offer : (offer.disabledReason ?? "possible"));

describe("approving and rejecting", () => {
  it("is absent for the author, unless their role has the permission for own changes", () => {
    const own = reader("ada", "approve_reviews", "self_approve_review");
    expect([ada, own].map((one) => [can(approving(review(), one, [])), can(rejecting(review(), one, []))])).toEqual([
      ["absent", "absent"],
      ["possible", "possible"],
    ]);
  });

  it("is absent without the permission, and after the end of the review", () => {
    expect(can(approving(review(), reader("grace", "edit_or_delete_configs"), []))).toBe("absent");
    for (const status of ["REJECTED", "COMMITTED", "CANCELED"] as const)
      expect([approving, rejecting].map((one) => can(one(review({ status }), grace, [])))).toEqual(["absent", "absent"]);
  });

  it("is possible for people in a team of an open requirement, and says who can approve to others", () => {
    const limited = review({ requirements: [requirement({ isMet: true }), requirement({ team: checkout })] });
    expect(can(approving(limited, grace, teams))).toBe("possible");
    expect(can(approving(limited, reader("kim", "approve_reviews"), teams))).toBe("It needs approval from a member of the team Checkout.");
    const ofAdmins = review({ requirements: [requirement({ team: { ...checkout, adminsOnly: true } })] });
    expect(can(rejecting(ofAdmins, grace, teams))).toBe("It needs approval from an admin of the team Checkout.");
  });

  it("is possible for the people that a requirement names, by ID or address", () => {
    const people = [{ id: "usr", name: "Grace", email: "GRACE@example.com" }];
    expect(can(approving(review({ requirements: [requirement({ people })] }), grace, []))).toBe("possible");
    expect(can(approving(review({ requirements: [requirement({ people })] }), reader("kim", "approve_reviews"), []))).toBe(
      "It needs approval from Grace.",
    );
  });

  it("is possible for people who publish where the author does not", () => {
    const unpublished = review({ requirements: [requirement({ kind: "PUBLISH" })] });
    const given = [["production"], ["Production", "staging"], ["staging"], []].map((publishesIn) => ({ ...grace, publishesIn }));
    expect([grace, ...given].map((one) => can(approving(unpublished, one, [])))).toEqual([
      ...["possible", "possible", "possible"],
      ...Array(2).fill("It needs approval from someone whose role can change what users get in production."),
    ]);
  });

  it("leaves rejection to an approved review", () => {
    const approved = review({ status: "APPROVED" });
    expect([can(approving(approved, grace, [])), can(rejecting(approved, grace, []))]).toEqual(["absent", "possible"]);
  });
});

describe("the other actions", () => {
  it("publishes once it is approved, by the author and by people who can make changes", () => {
    expect(can(publishing(review(), ada))).toBe("Needs approval first.");
    const approved = review({ status: "APPROVED" });
    const given = [ada, reader("kim", "edit_or_delete_configs"), grace].map((one) => can(publishing(approved, one)));
    expect(given).toEqual(["possible", "possible", "absent"]);
    expect(can(publishing(review({ status: "COMMITTED" }), ada))).toBe("absent");
  });

  it("cancels an open review for its author and for approvers, and revises it for its author alone", () => {
    expect([reader("ada"), grace, reader("kim")].map((one) => [can(canceling(review(), one)), can(revising(review(), one))])).toEqual([
      ["possible", "possible"],
      ["possible", "absent"],
      ["absent", "absent"],
    ]);
    expect(can(canceling(review({ status: "REJECTED" }), ada))).toBe("absent");
  });
});
