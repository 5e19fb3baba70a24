import { describe, expect, test } from "vitest";
import {
  baselineOfRate,
  correctedConfidence,
  enoughDays,
  isSameEstimate,
  listMissing,
  lookSentence,
  neededSentence,
  plannedDay,
  pointsOfPower,
  powerRequests,
  powerSentence,
  toNeeds,
  trafficSentence,
  unreachableSentence,
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
const choice = { power: 80, effect: undefined, unitsPerDay: undefined, baselines: {} };
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

  test("says why there is nothing, and what to enter for an estimate", () => {
    const reason = "No units arrived on recent days, so the traffic is unknown.";
    const unknown = { ...power, days: [], reason, sql: "select" };
    expect(powerSentence("Revenue", unknown, 14)).toBe(reason);
    expect(listMissing(unknown)).toEqual({ traffic: true, baseline: true });
    expect(listMissing({ ...power, days: [], reason: "It reads a table." })).toEqual({ traffic: false, baseline: false });
    const alike = { ...unknown, unitsPerDay: 9, days: [{ day: 1, unitsPerGroup: 5, mean: 1, standardDeviation: 0 }] };
    expect(listMissing(alike)).toEqual({ traffic: false, baseline: true });
    expect(listMissing({ ...power, unitsPerDay: 9, sql: "select" })).toEqual({ traffic: false, baseline: false });
    const aroundZero = { ...power, days: [{ day: 1, unitsPerGroup: 5, mean: 0, absoluteEffect: 0.5 }] };
    expect(powerSentence("Revenue", aroundZero, 1)).toBe("In 1 day, you can detect a difference of 0.5 in Revenue, which has a mean of 0.");
  });

  test("says how many users an effect needs, and when the experiment reaches them", () => {
    const needed = { units: 1_234_567, unitsPerGroup: 61_728 };
    const start = new Date(2026, 10, 1, 12).getTime();
    expect(neededSentence("Revenue", 2, { ...power, needed: { ...needed, day: 39 } }, start)).toBe(
      "To detect a change of 2% in Revenue, you need 1,234,567 users, at least 61,728 of them in each group. You’ll reach that 39 days after the start, on Dec 10, 2026.",
    );
    expect(neededSentence("Revenue", 2, { ...power, needed, reason: "No new units arrived on recent days." }, start)).toMatch(
      / of them in each group\. No new units arrived on recent days\.$/,
    );
    expect(neededSentence("Revenue", 2, power, start)).toBeUndefined();
  });

  test("says how many users the planned days bring, and how many come every day after them", () => {
    const day = { day: 14, unitsPerGroup: 1325, mean: 1, standardDeviation: 1 };
    const [sized, slow] = [
      { allocation: 50, groupSizes: [50, 25, 25] },
      { ...power, days: [day], unitsPerDay: 82 },
    ];
    expect(trafficSentence(sized, slow, 14)).toBe(
      "Based on recent traffic: about 5,300 users in the first 14 days, then 41 new users a day.",
    );
    expect(trafficSentence(sized, { ...slow, days: [] }, 14)).toBe("Based on recent traffic: about 41 new users a day.");
    expect(trafficSentence({ ...sized, unitsPerDay: 9 }, slow, 14)).toBeUndefined();
  });

  test("is asked with the traffic and the rate that the reader enters", () => {
    const baseline = { mean: 0.2, standardDeviation: expect.closeTo(0.4, 10) };
    expect(baselineOfRate(20)).toEqual(baseline);
    const given = { ...choice, unitsPerDay: 300, baselines: { "Checkouts::event_user": baselineOfRate(20) } };
    expect(powerRequests(planned, settings, given).map(({ unitsPerDay, baseline: asked }) => [unitsPerDay, asked])).toEqual([
      [300, undefined],
      [300, baseline],
    ]);
  });

  test("is a need of each metric that something can be said of", () => {
    const request = { metric: { name: "Revenue", type: "sum" }, effect: 2 };
    expect(toNeeds(request, { ...power, needed: { day: 9, units: 20, unitsPerGroup: 10 } })).toEqual([
      { metric: "Revenue", effect: 2, days: 9 },
    ]);
    expect(toNeeds(request, power)).toEqual([{ metric: "Revenue", effect: 2, days: undefined }]);
    expect(toNeeds({ metric: request.metric }, power)).toEqual([]);
    expect(toNeeds(request, { ...power, days: [] })).toEqual([]);
  });

  test("sets the planned duration to what every metric needs, and to at least a week", () => {
    const need = (days: number | undefined) => ({ metric: "Revenue", effect: 2, days });
    expect(enoughDays([need(9), need(40)])).toBe(40);
    expect(enoughDays([need(3)])).toBe(7);
    expect(enoughDays([need(365)])).toBe(365);
    expect([enoughDays([need(9), need(undefined)]), enoughDays([need(9), need(825)])]).toEqual([undefined, undefined]);
    expect(unreachableSentence([need(9), need(825)])).toBe(
      "At this traffic, a change of this size in Revenue can’t be detected within 365 days. Increase the allocation, or plan for a larger change.",
    );
    expect(unreachableSentence([need(365)])).toBeUndefined();
    expect(enoughDays([])).toBeUndefined();
  });

  test("stays valid when only the duration changes", () => {
    const requests = (changed: Partial<typeof planned>) => powerRequests({ ...planned, ...changed }, settings, choice);
    expect(isSameEstimate(requests({}), requests({ duration: 60 }))).toBe(true);
    expect(isSameEstimate(requests({}), requests({ allocation: 7 }))).toBe(false);
  });
});
