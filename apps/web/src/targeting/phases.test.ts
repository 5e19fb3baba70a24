import { describe, expect, it } from "vitest";
import { toText } from "./parts.ts";
import { audienceOf, planText } from "./phases.ts";

const HOUR_MS = 3_600_000;
const phase = (name: string, timeIntervalMs: number, requiredReview = false) => ({ name, timeIntervalMs, requiredReview });

describe("planText", () => {
  it("counts each phase from the one before it, and ends with everyone", () => {
    expect(planText([phase("Staff", 24 * HOUR_MS), phase("New Zealand", 36 * HOUR_MS, true)])).toBe(
      "“Staff” at once, then “New Zealand” after 1 day and approval, then everyone after 36 hours",
    );
  });

  it("has no time after a phase that doesn't last", () => {
    expect(planText([phase("Staff", 0, true), phase("Beta", 0), phase("Partners", 0, true)])).toBe(
      "“Staff” after approval, then “Beta” at once, then “Partners” after approval, then everyone at once",
    );
  });
});

describe("audienceOf", () => {
  it("says whom each rule reaches, and where", () => {
    const rules = [
      { id: "a", name: "All", conditions: [{ type: "public" as const }], environments: ["staging"] },
      { id: "b", name: "NZ", conditions: [{ type: "country" as const, operator: "any" as const, targetValue: ["NZ"] }], environments: [] },
    ];
    expect(audienceOf({ rules }).map(toText)).toEqual([
      "Everyone gets the change, only in staging.",
      "Users get the change if Country is any of NZ.",
    ]);
    expect(audienceOf({ rules }, ["staging"]).map(toText)[0]).toBe("Everyone gets the change.");
    expect(audienceOf({ rules: [] }).map(toText)).toEqual(["This phase adds no users."]);
  });
});
