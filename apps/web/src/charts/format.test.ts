import { afterEach, describe, expect, it, vi } from "vitest";
import { clock, compact, counted, date, day, exact, moment, month, namedDays, percentage, share, span } from "./format.ts";

const HOUR = 3_600_000;
const NOVEMBER_21 = Date.UTC(2025, 10, 21, 13);

afterEach(() => void vi.unstubAllEnvs());

describe("compact", () => {
  it.each([
    [0, "0"],
    [0.5, "0.5"],
    [7, "7"],
    [999, "999"],
    [1_000, "1\u202fk"],
    [1_234, "1.23\u202fk"],
    [12_345, "12.3\u202fk"],
    [999_499, "999\u202fk"],
    [3_460_000, "3.46\u202fM"],
    [2_000_000_000, "2\u202fbn"],
    [-1_500, "−1.5\u202fk"],
  ])("writes %d as %s", (value, text) => expect(compact(value)).toBe(text));

  it("goes on to the next suffix where rounding reaches it", () => {
    expect(compact(999.7)).toBe("1\u202fk");
    expect(compact(999_950)).toBe("1\u202fM");
  });

  it("keeps all digits beyond the last suffix", () => expect(compact(12_300_000_000_000_000)).toBe("12,300\u202ftn"));
});

describe("exact", () => {
  it("separates thousands and keeps decimals", () => {
    expect(exact(1_234_567)).toBe("1,234,567");
    expect(exact(0.25)).toBe("0.25");
  });
});

describe("percentage", () => {
  it.each([
    [0, "0%"],
    [12.3456, "12.35%"],
    [50, "50%"],
    [100, "100%"],
    [99.99, "99.99%"],
  ])("writes %d as %s", (value, text) => expect(percentage(value)).toBe(text));

  it("never shows a share as nothing or all that is neither", () => {
    expect(percentage(0.001)).toBe("<0.01%");
    expect(percentage(99.999)).toBe(">99.99%");
  });
});

describe("share", () => {
  it("is a dash of an empty whole", () => expect(share(0, 0)).toBe("–"));
  it("is the percentage of the whole", () => expect(share(1, 3)).toBe("33.33%"));
});

describe("counted", () => {
  it("takes the noun in the number that fits", () => {
    expect(counted(1, "checks")).toBe("1 check");
    expect(counted(2_000, "checks")).toBe("2,000 checks");
    expect(counted(1, "entries")).toBe("1 entry");
    expect(counted(1, "people")).toBe("1 person");
  });
});

describe("times", () => {
  it("are in the reader's zone", () => {
    vi.stubEnv("TZ", "Europe/Berlin");
    expect(clock(NOVEMBER_21)).toBe("14:00");
    expect(moment(NOVEMBER_21)).toBe("Nov 21, 2025, 14:00 GMT+1");
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
