import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type TimeZone, toTimeZone } from "../../common/time-zone.ts";
import { lastOccurrence, nextOccurrence, type Repetition, toRepetition, type Weekday } from "./repetition.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const at = (text: string) => Date.parse(text);
const iso = (time: number | undefined) => time && new Date(time).toISOString();
const zone = (name: string) => toTimeZone(name) as TimeZone;
const berlin = zone("Europe/Berlin");

const DAYS: Weekday[] = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];
const WORKDAYS = DAYS.slice(0, 5);

function repeating(
  start: string,
  { repeat = DAYS, timeZone = berlin, repeatUntil }: { repeat?: Weekday[]; timeZone?: TimeZone; repeatUntil?: number } = {},
) {
  const applyAt = at(start);
  return { applyAt, repeat: toRepetition({ applyAt, repeat, repeatUntil }, timeZone) as Repetition };
}

/** The occurrences after the first one, each computed when the one before it was applied. */
function occurrences(start: string, count: number, options?: Parameters<typeof repeating>[1]) {
  let { applyAt, repeat } = repeating(start, options);
  return Array.from({ length: count }, () => {
    ({ applyAt, repeat } = nextOccurrence({ applyAt, repeat }, applyAt, options?.timeZone ?? berlin) as ReturnType<typeof repeating>);
    return iso(applyAt);
  });
}

describe("a change that repeats", () => {
  it("stays at nine on weekdays when clocks are put forward and back", () => {
    expect(occurrences("2026-03-27T08:00Z", 2, { repeat: WORKDAYS })).toEqual(["2026-03-30T07:00:00.000Z", "2026-03-31T07:00:00.000Z"]);
    expect(occurrences("2026-10-23T07:00Z", 2, { repeat: WORKDAYS })).toEqual(["2026-10-26T08:00:00.000Z", "2026-10-27T08:00:00.000Z"]);
  });

  it("runs right after the gap if its time is skipped, and at its own time the day after", () => {
    expect(occurrences("2026-03-28T01:30Z", 2)).toEqual(["2026-03-29T01:00:00.000Z", "2026-03-30T00:30:00.000Z"]);
  });

  it("runs at the first of two times that clocks show, and once", () => {
    expect(occurrences("2026-10-24T00:30Z", 2)).toEqual(["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z"]);
  });

  it("skips a date that a zone skips", () => {
    const apia = { timeZone: zone("Pacific/Apia") };
    expect(occurrences("2011-12-29T19:00Z", 1, apia)).toEqual(["2011-12-30T19:00:00.000Z"]);
  });

  it("ends after its last time", () => {
    const change = repeating("2026-03-02T08:00Z", { repeatUntil: at("2026-03-03T08:00Z") });
    const last = nextOccurrence(change, change.applyAt, berlin);
    expect(iso(last?.applyAt)).toBe("2026-03-03T08:00:00.000Z");
    expect(last && nextOccurrence(last, last.applyAt, berlin)).toBeUndefined();
  });

  it("makes up only for the last occurrence that was missed", () => {
    const change = repeating("2026-03-02T08:00Z");
    expect(iso(nextOccurrence(change, at("2026-03-06T09:00Z"), berlin)?.applyAt)).toBe("2026-03-06T08:00:00.000Z");
    expect(iso(nextOccurrence(change, at("2026-03-03T07:59Z"), berlin)?.applyAt)).toBe("2026-03-03T08:00:00.000Z");
    const ending = repeating("2026-03-02T08:00Z", { repeatUntil: at("2026-03-04T12:00Z") });
    expect(iso(nextOccurrence(ending, at("2026-03-06T09:00Z"), berlin)?.applyAt)).toBe("2026-03-04T08:00:00.000Z");
  });

  it("uses the time zone that the project has when the next occurrence is computed", () => {
    const change = repeating("2026-03-02T08:00Z");
    const next = nextOccurrence(change, change.applyAt, zone("Asia/Tokyo"));
    expect([iso(next?.applyAt), next?.repeat]).toEqual(["2026-03-03T00:00:00.000Z", { ...change.repeat, timeZone: "Asia/Tokyo" }]);
  });

  it("has its last occurrence up to a time, and at least its first", () => {
    const change = repeating("2026-03-02T08:00Z", { repeatUntil: at("2026-03-05T08:00Z") });
    const last = ["2026-03-01", "2026-03-04", "2026-03-20"].map((date) => iso(lastOccurrence(change, at(`${date}T09:00Z`))));
    expect(last).toEqual(["2026-03-02T08:00:00.000Z", "2026-03-04T08:00:00.000Z", "2026-03-05T08:00:00.000Z"]);
  });
});

describe("toRepetition", () => {
  it("lists the days in their order, with the time of day in the zone", () => {
    expect(toRepetition({ applyAt: at("2026-03-01T23:05Z"), repeat: ["SUNDAY", "MONDAY"] }, berlin)).toEqual({
      ...{ days: ["MONDAY", "SUNDAY"], time: "00:05", timeZone: "Europe/Berlin", until: null },
    });
  });

  it("refuses part of a minute, a day that is not listed, and an end before the first time", () => {
    const applyAt = at("2026-03-02T08:00:01Z");
    expect(() => toRepetition({ applyAt, repeat: ["TUESDAY"], repeatUntil: applyAt - 1 }, berlin)).toThrow(
      expect.objectContaining({
        violations: [
          { property: "applyAt", errorMessage: "must be at a whole minute, since the change repeats" },
          { property: "applyAt", errorMessage: "is on a MONDAY in Europe/Berlin, and the change repeats on TUESDAY" },
          { property: "applyAt", errorMessage: `must not be after ${applyAt - 1}, when the change stops repeating` },
        ],
      }),
    );
  });
});

const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "America/Sao_Paulo",
  "America/Nuuk",
  "America/Havana",
  "Australia/Lord_Howe",
];
const MORE_ZONES = ["Pacific/Apia", "Pacific/Chatham", "Africa/Casablanca", "Asia/Beirut", "Antarctica/Troll", "Asia/Kolkata"];

/** What clocks of a zone show in each minute, by Intl alone, such as `2026-03-29 01:59`. */
function walk(from: number, to: number, name: string): { time: number; shown: string }[] {
  const digits = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: name, ...digits });
  return Array.from({ length: (to - from) / MINUTE }, (_, minute) => {
    const time = from + minute * MINUTE;
    return { time, shown: format.format(time).replace(",", "") };
  });
}

/** The first minute after a time that a walk finds for one of the days: when clocks show the time of day of a date that they have shown, or pass it. */
function expected(minutes: ReturnType<typeof walk>, after: number, days: Weekday[], timeOfDay: string): number | undefined {
  const dates = [...new Set(minutes.map(({ shown }) => shown.slice(0, 10)))];
  const found = dates
    .filter((date) => days.includes(DAYS[(new Date(date).getUTCDay() + 6) % 7] as Weekday))
    .flatMap((date) => minutes.find(({ shown }) => shown >= `${date} ${timeOfDay}`)?.time ?? []);
  return found.find((time) => time > after);
}

describe("the next occurrence", () => {
  it.each([...ZONES, ...MORE_ZONES])("in %s is that of a walk by minutes, around each change of the clocks", (name) => {
    const clock = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
    const offset = (time: number) => clock.format(time).split(", ")[1];
    const changes = [2011, 2026].flatMap((year) =>
      Array.from({ length: 366 }, (_, day) => Date.UTC(year, 0, 1) + day * DAY).filter((day) => offset(day) !== offset(day + DAY)),
    );
    for (const change of [...changes, Date.UTC(2026, 5, 15)]) {
      const from = change - 2 * DAY;
      const minutes = walk(from, change + 3 * DAY, name);
      const given = fc.record({
        start: fc.integer({ min: 0, max: (1.5 * DAY) / MINUTE }).map((minute) => from + DAY / 2 + minute * MINUTE),
        days: fc.subarray(DAYS, { minLength: 3 }),
      });
      fc.assert(
        fc.property(given, ({ start, days }) => {
          const { shown = "" } = minutes[(start - from) / MINUTE] ?? {};
          const repeat: Repetition = { days, time: shown.slice(11), timeZone: name, until: null };
          const found = expected(minutes, start, days, repeat.time);
          if (found === undefined) return;
          expect(iso(nextOccurrence({ applyAt: start, repeat }, start, zone(name))?.applyAt)).toBe(iso(found));
        }),
        { numRuns: 30 },
      );
    }
  });
});
