import { describe, expect, it } from "vitest";
import { toText } from "./parts.ts";
import { releaseChanges } from "./release-changes.ts";

const rule = (id: string) => ({ id, name: id, conditions: [], environments: null });
const [old, changed] = [[], [{ name: "Everyone", passPercentage: 100, conditions: [] }]];
const active = (...ids: string[]) => ({ releaseID: "r", rules: ids.map(rule), guardrails: [], before: { rules: [] } });
const words = (...sides: Parameters<typeof releaseChanges>) => releaseChanges(...sides).map(({ parts }) => toText(parts));

describe("the history of a released entity", () => {
  it("says that a release started, which phases began, and how it ended", () => {
    const [started, next] = [
      { rules: changed, activeRelease: active("Staff") },
      { rules: changed, activeRelease: active("Staff", "NZ") },
    ];
    const names = { Staff: "Employees", NZ: "New Zealand" };
    expect(words({ rules: old }, started, names)).toEqual(["Release started: phase “Employees” began"]);
    expect(words(started, next, names)).toEqual(["Release: phase “New Zealand” began"]);
    expect(words(started, next)).toEqual(["Release: a phase with the rules “NZ” began"]);
    const waiting = { ...next, activeRelease: { ...next.activeRelease, currentPhase: "Partners" } };
    expect(words(next, waiting)).toEqual(["Release moved on to phase “Partners”"]);
    expect(words(next, { rules: changed })).toEqual(["Release completed: everyone gets the change"]);
    expect(words(next, { rules: old })).toEqual(["Release aborted: everyone gets what they had before"]);
    expect(words(next, next)).toEqual([]);
  });
});
