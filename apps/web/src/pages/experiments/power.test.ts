import { describe, expect, test } from "vitest";
import {
  correctedConfidence,
  isTooYoung,
  lookSentence,
  neededSentence,
  plannedDay,
  pointsOfPower,
  powerRequests,
  powerSentence,
  toNeeds,
  whyNoPower,
} from "./power.ts";

const group = (name: string) => ({ id: name, name, size: 50, values: "{}", description: "" });
const planned = {
  allocation: 50,
  duration: 14,
  groups: [group("a"), group("b"), group("c")],
  primaryMetrics: [
    { name: "Revenue", type: "sum", hypothesizedValue: -2 },
    { name: "Checkouts", type: "event_user" },
  ],
  secondaryMetrics: [],
};
const settings = { idType: "userID", controlGroupID: "a", defaultConfidenceInterval: "90" as const, bonferroniCorrection: false };
const choice = { power: 80, effect: undefined };
const days = [
  { day: 1, unitsPerGroup: 50, effect: 12, absoluteEffect: 1.2 },
  { day: 2, unitsPerGroup: 100, effect: 8, absoluteEffect: 0.8 },
];
const power = { idType: "userID", startDate: "2026-11-01", timeZone: "UTC", days };

describe("a power request", () => {
  test("takes groups, allocation, unit type and α from the experiment, and the effect that each metric hypothesizes", () => {
    expect(powerRequests(planned, settings, choice)).toEqual([
      {
        metric: { name: "Revenue", type: "sum" },
        ...{ idType: "userID", allocation: 50, groupSizes: [50, 50, 50], power: 80, days: 28, confidence: 90, effect: 2 },
      },
      {
        metric: { name: "Checkouts", type: "event_user" },
        ...{ idType: "userID", allocation: 50, groupSizes: [50, 50, 50], power: 80, days: 28, confidence: 90 },
      },
    ]);
    expect(powerRequests(planned, settings, { ...choice, effect: 5 }).map(({ effect }) => effect)).toEqual([5, 5]);
  });

  test("puts the size of the control group first, and says whether looks are tested sequentially", () => {
    const groups = [{ ...group("a"), size: 10 }, group("b"), group("c")];
    const [request] = powerRequests({ ...planned, groups }, { ...settings, controlGroupID: "b", sequentialTesting: true }, choice);
    expect(request).toMatchObject({ groupSizes: [50, 10, 50], sequentialTesting: true });
  });

  test("covers the planned duration, within what the operation takes", () => {
    const plannedDays = (duration: number) => powerRequests({ ...planned, duration }, settings, choice)[0]?.days;
    expect([7, 60, 400].map(plannedDays)).toEqual([28, 60, 90]);
  });

  test("divides α as Bonferroni will", () => {
    expect(correctedConfidence(planned, { ...settings, bonferroniCorrection: true })).toBe(95);
    expect(correctedConfidence(planned, { ...settings, bonferroniCorrectionPerMetric: true })).toBe(95);
    expect(correctedConfidence(planned, { ...settings, holmPerVariant: true })).toBe(95);
    expect(correctedConfidence(planned, { ...settings, bonferroniCorrection: true, holmPerMetric: true })).toBe(95);
    const both = { ...settings, bonferroniCorrection: true, bonferroniCorrectionPerMetric: true };
    expect(correctedConfidence({ ...planned, secondaryMetrics: planned.primaryMetrics }, both)).toBe(98.75);
  });

  test("is nothing without metrics, groups or units", () => {
    expect(whyNoPower(planned)).toBeUndefined();
    expect(whyNoPower({ ...planned, primaryMetrics: [] })).toBe("Add a primary metric first.");
    expect(whyNoPower({ ...planned, groups: [group("a")] })).toBe("Add a second group first.");
    expect(whyNoPower({ ...planned, allocation: 0 })).toBe("Set the allocation first.");
  });
});

describe("the power result", () => {
  test("is said of the planned day, or of the last one that was computed", () => {
    expect(powerSentence("Revenue", power, 2)).toBe("In 2 days, you can detect a change of 8% in Revenue.");
    expect(powerSentence("Revenue", power, 1)).toBe("In 1 day, you can detect a change of 12% in Revenue.");
    expect(powerSentence("Revenue", power, 14)).toBe("In 2 days (the longest estimate), you can detect a change of 8% in Revenue.");
    expect(plannedDay(power, 1.5)?.day).toBe(2);
    expect(pointsOfPower(power)).toEqual([
      { time: 1, value: 12 },
      { time: 2, value: 8 },
    ]);
  });

  test("says what ending earlier takes", () => {
    const looked = { ...power, days: days.map((day) => ({ ...day, sequentialEffect: 1.6 * day.effect })) };
    expect(lookSentence(looked, 2)).toBe("That’s at the planned end. To end early, you need a change of about 12.8%.");
    expect(lookSentence(power, 2)).toBeUndefined();
  });

  test("is asked of the planned days alone if units came only later", () => {
    const young = { ...power, days: [{ day: 1, unitsPerGroup: 0 }, ...days.slice(1)] };
    expect(isTooYoung(young, 1)).toBe(true);
    expect(isTooYoung(young, 2)).toBe(false);
    expect(isTooYoung(power, 1)).toBe(false);
    expect(isTooYoung({ ...power, days: [] }, 1)).toBe(false);
  });

  test("says why there is nothing", () => {
    const only = (day: object) => ({ ...power, days: [{ day: 1, unitsPerGroup: 5, ...day }] });
    expect(powerSentence("Revenue", { ...power, days: [], reason: "It reads a table." }, 14)).toBe("It reads a table.");
    expect(powerSentence("Revenue", { ...power, days: [] }, 14)).toBe("No recent events to estimate from.");
    expect(powerSentence("Revenue", only({ unitsPerGroup: 0 }), 1)).toBe(
      "No recent users count for Revenue, so the duration can’t be estimated.",
    );
    expect(powerSentence("Revenue", only({ mean: 1, standardDeviation: 0 }), 1)).toBe(
      "Revenue was the same for all recent users, so the duration can’t be estimated.",
    );
    expect(powerSentence("Revenue", only({ mean: 0, absoluteEffect: 0.5 }), 1)).toBe(
      "In 1 day, you can detect a difference of 0.5 in Revenue, which has a mean of 0.",
    );
  });

  test("says how many days an effect needs, with how many units", () => {
    expect(neededSentence(2, { ...power, needed: { day: 9, unitsPerGroup: 5199.5 } })).toBe(
      "Detecting a change of 2% takes 9 days, with 5,200 units in the smallest group.",
    );
    const reason = "An effect of 2% would not be found within 2 days.";
    expect(neededSentence(2, { ...power, reason })).toBe(reason);
  });

  test("is a need of each metric that something can be said of", () => {
    const request = { metric: { name: "Revenue", type: "sum" }, effect: 2 };
    expect(toNeeds(request, { ...power, needed: { day: 9, unitsPerGroup: 10 } })).toEqual([{ metric: "Revenue", effect: 2, days: 9 }]);
    expect(toNeeds(request, power)).toEqual([{ metric: "Revenue", effect: 2, days: undefined }]);
    expect(toNeeds({ metric: request.metric }, power)).toEqual([]);
    expect(toNeeds(request, { ...power, days: [] })).toEqual([]);
  });
});
