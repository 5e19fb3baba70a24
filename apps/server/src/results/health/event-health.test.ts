import type { Schema } from "@gatehouse/contract/console";
import { describe, expect, test } from "vitest";
import type { EventCounts } from "../sql/event-counts.ts";
import { eventChecks } from "./event-health.ts";

const experiment = { idType: "userID" } as Schema<"Experiment">;
const counts = (eventName: string, given: Partial<EventCounts> = {}): EventCounts => ({
  ...{ eventName, events: 1_000, future: 0, late: 0, texts: 0, units: 500, top: [{ unitID: "u", events: 2 }] },
  ...given,
});
const check = (type: string, ...all: EventCounts[]) => eventChecks(experiment, all).find((one) => one.type === type);

test("experiments without events have no checks of them", () => {
  expect(eventChecks(experiment, [])).toEqual([]);
});

describe("has_numeric_values", () => {
  test.each([
    [9, "PASSED"],
    [10, "WARNING"],
    [100, "FAILED"],
  ])("of %i texts of 1,000 is %s", (texts, status) => {
    expect(check("has_numeric_values", counts("view", { texts: 1 }), counts("buy", { texts }))).toMatchObject({
      status,
      description: `${texts / 10}% of the events buy have a text where a metric reads a number. They add nothing to it. Send numbers such as 12.5, without commas and units.`,
      metadata: {
        events: [
          { eventName: "buy", textPercent: texts / 10 },
          { eventName: "view", textPercent: 0.1 },
        ],
      },
    });
  });

  test("is listed once an event has a text", () => {
    expect(check("has_numeric_values", counts("buy"))).toBeUndefined();
  });
});

describe("has_plausible_event_times", () => {
  const times = (...all: EventCounts[]) => check("has_plausible_event_times", ...all);

  test.each([
    [9, "PASSED"],
    [10, "WARNING"],
    [99, "WARNING"],
    [100, "FAILED"],
  ])("of %i events of 1,000 in the future, or late, is %s", (some, status) => {
    expect(times(counts("buy", { future: some }))?.status).toBe(status);
    expect(times(counts("buy", { late: some }))?.status).toBe(status);
  });

  test("says what is wrong with the worst event, and what is known of all", () => {
    const found = times(counts("view"), counts("buy", { late: 20 }), counts("open", { future: 150, late: 10 }));
    expect(found?.description).toBe(
      "15% of the events open have a time after the day on which they arrived. They count at the end of that day: set the clocks of the devices that send them.",
    );
    expect(found?.metadata).toEqual({
      ...{ type: "has_plausible_event_times", primary_id_type: "userID" },
      events: [
        { eventName: "open", status: "FAILED", events: 1_000, futurePercent: 15, latePercent: 1 },
        { eventName: "buy", status: "WARNING", events: 1_000, futurePercent: 0, latePercent: 2 },
        { eventName: "view", status: "PASSED", events: 1_000, futurePercent: 0, latePercent: 0 },
      ],
    });
    expect(times(counts("buy", { late: 20 }))?.description).toBe(
      "2% of the events buy arrived more than a day after they happened. They change the results of past days.",
    );
  });
});

describe("has_plausible_event_counts", () => {
  const shares = (...all: EventCounts[]) => check("has_plausible_event_counts", ...all);
  const top = (...events: number[]) => events.map((one, index) => ({ unitID: `bot ${index + 1}`, events: one }));

  test.each([
    [199, "PASSED"],
    [200, "WARNING"],
    [499, "WARNING"],
    [500, "FAILED"],
  ])("of three units with %i events of 1,000 is %s", (events, status) => {
    expect(shares(counts("buy", { top: top(events - 2, 1, 1) }))?.status).toBe(status);
  });

  test("names these units, with the beginning of long ids", () => {
    const units = [{ unitID: "x".repeat(50), events: 500 }, ...top(20, 10)];
    const found = shares(counts("buy"), counts("view", { top: units }));
    expect(found?.description).toBe(
      `3 of 500 units have 53% of the events view: ${"x".repeat(40)}… (500), bot 1 (20), bot 2 (10). They may be bots and can dominate the results.`,
    );
    expect(found?.metadata?.events?.[0]).toEqual({
      ...{ eventName: "view", status: "FAILED", events: 1_000, units: 500, topPercent: 53, topUnits: units },
    });
  });

  test("ignores events seen for fewer than 100 units", () => {
    expect(shares(counts("buy", { units: 99, top: top(900) }))).toBeUndefined();
  });
});
