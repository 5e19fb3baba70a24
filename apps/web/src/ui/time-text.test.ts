import { afterEach, describe, expect, it, vi } from "vitest";
import { localDay, localInput } from "./field-time.ts";
import { utcDay } from "./iso-time.ts";
import {
  clock,
  date,
  day,
  dayInZone,
  durationInWords,
  exactTime,
  longDate,
  moment,
  month,
  namedDays,
  relativeTime,
  roughDuration,
  span,
} from "./time-text.ts";

const HOUR = 3_600_000;
const NOVEMBER_21 = Date.UTC(2025, 10, 21, 13);

afterEach(() => void vi.unstubAllEnvs());

describe("times", () => {
  it("are in the reader's zone", () => {
    vi.stubEnv("TZ", "Europe/Berlin");
    expect(clock(NOVEMBER_21)).toBe("14:00");
    expect(moment(NOVEMBER_21)).toBe("Nov 21, 2025, 14:00 GMT+1");
    expect(exactTime(NOVEMBER_21 + 5_000)).toBe("Nov 21, 2025, 14:00:05 GMT+1");
    expect(longDate(NOVEMBER_21)).toBe("Friday, Nov 21, 2025");
    expect([localInput(NOVEMBER_21), localDay(NOVEMBER_21 + 10 * HOUR)]).toEqual(["2025-11-21T14:00", "2025-11-22"]);
  });

  it("are in UTC where the data are", () => {
    vi.stubEnv("TZ", "Pacific/Auckland");
    const midnight = Date.UTC(2025, 10, 21);
    expect(day(midnight, "utc")).toBe("Nov 21");
    expect(date(midnight, "utc")).toBe("Nov 21, 2025");
    expect(month(midnight, "utc")).toBe("Nov 2025");
  });
});

describe("span", () => {
  it("names the date once within a day", () => expect(span(NOVEMBER_21, NOVEMBER_21 + HOUR, "utc")).toBe("Nov 21, 2025, 13:00–14:00 UTC"));

  it("ends a day at 24:00", () => {
    const midnight = Date.UTC(2025, 10, 21);
    expect(span(midnight + 23 * HOUR, midnight + 24 * HOUR, "utc")).toBe("Nov 21, 2025, 23:00–24:00 UTC");
  });

  it("names both dates across days", () =>
    expect(span(NOVEMBER_21, NOVEMBER_21 + 24 * HOUR, "utc")).toBe("Nov 21, 2025, 13:00 UTC – Nov 22, 2025, 13:00 UTC"));
});

describe("namedDays", () => {
  const DAY = 24 * HOUR;
  const newYear = Date.UTC(2026, 0, 1);

  it("names one day", () => expect(namedDays(newYear, newYear + DAY)).toBe("Jan 1, 2026 (UTC)"));
  it("names the last day of several, not the end of it", () =>
    expect(namedDays(newYear, newYear + 7 * DAY)).toBe("Jan 1 – Jan 7, 2026 (UTC)"));
  it("names the zone whose days they are", () =>
    expect(namedDays(newYear, newYear + DAY, "Asia/Kolkata")).toBe("Jan 1, 2026 (Asia/Kolkata)"));
  it("names both years where they differ", () => expect(namedDays(newYear - DAY, newYear + DAY)).toBe("Dec 31, 2025 – Jan 1, 2026 (UTC)"));
});

describe("dayInZone", () => {
  it("is the day that a moment is on in a time zone", () => {
    const moments = [Date.UTC(2025, 1, 28, 23, 30), Date.UTC(2025, 2, 1, 2)];
    expect(moments.map((time) => utcDay(time))).toEqual(["2025-02-28", "2025-03-01"]);
    expect(moments.map((time) => dayInZone(time, "Europe/Berlin"))).toEqual(["2025-03-01", "2025-03-01"]);
    expect(moments.map((time) => dayInZone(time, "America/Los_Angeles"))).toEqual(["2025-02-28", "2025-02-28"]);
  });
});

describe("relativeTime", () => {
  it.each([
    [-10_000, "just now"],
    [10_000, "in a moment"],
    [-5 * 60_000, "5 minutes ago"],
    [-HOUR, "1 hour ago"],
    [-23.9 * HOUR, "23 hours ago"],
    [-24 * HOUR, "yesterday"],
    [3 * 24 * HOUR, "in 3 days"],
  ])("of %d ms from now is %s", (difference, text) => expect(relativeTime(NOVEMBER_21 + difference, NOVEMBER_21)).toBe(text));

  it("is the date of a time more than 30 days away", () =>
    expect(relativeTime(NOVEMBER_21 - 31 * 24 * HOUR, NOVEMBER_21)).toBe("Oct 21, 2025"));
});

describe("durations", () => {
  it("are exact where someone chose them, and rough where time has passed", () => {
    expect([90 * 60_000, 86_400_000, 0, 1_500].map(durationInWords)).toEqual(["90 minutes", "1 day", "0 days", "1,500 milliseconds"]);
    expect([59_999, 3 * HOUR + 1, 49 * HOUR].map(roughDuration)).toEqual(["less than a minute", "3 hours", "2 days"]);
  });
});
