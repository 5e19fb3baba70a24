import { describe, expect, it } from "vitest";
import { dateInWords, daysBefore, daysFrom, startOfDay, startOfDayAfter, toDate, toWeekday } from "./local-day.ts";
import { type TimeZone, toTimeZone, UTC } from "./time-zone.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const zone = (name: string) => toTimeZone(name) as TimeZone;
const at = (text: string) => Date.parse(text);
const iso = (time: number) => new Date(time).toISOString();

const ZONES = [
  ...["UTC", "Europe/Berlin", "America/New_York", "America/Sao_Paulo", "America/St_Johns", "Asia/Kolkata", "Asia/Kathmandu"],
  ...["Pacific/Auckland", "Pacific/Chatham", "Pacific/Apia", "Pacific/Kiritimati", "Australia/Lord_Howe", "Africa/Casablanca"],
  ...["Asia/Tehran", "Asia/Beirut", "America/Havana", "Antarctica/Troll", "Africa/Cairo", "America/Nuuk"],
].map(zone);

describe("a time zone", () => {
  it("accepts current and legacy IANA names", () => {
    for (const name of ["UTC", "Asia/Kolkata", "Asia/Calcutta", "America/Argentina/Buenos_Aires", "Etc/GMT+5"])
      expect(toTimeZone(name)).toBe(name);
  });

  it("rejects offsets, undefined abbreviations and every other string", () => {
    for (const name of ["+02:00", "UTC+2", "CEST", "Europe/Atlantis", "", " UTC", "UTC\n", "__proto__"])
      expect(toTimeZone(name)).toBeUndefined();
  });
});

/** When a new date is shown that is later than all before, by Intl alone, minute by minute. */
function naiveDays(from: number, to: number, name: TimeZone): { start: number; date: string }[] {
  const shown = new Intl.DateTimeFormat("en-CA", { timeZone: name, year: "numeric", month: "2-digit", day: "2-digit" });
  const found: { start: number; date: string }[] = [];
  let latest = shown.format(from);
  for (let time = from + MINUTE; time < to; time += MINUTE) {
    const date = shown.format(time);
    if (date <= latest) continue;
    found.push({ start: time, date });
    latest = date;
  }
  return found;
}

/** Times around which clocks are changed in a year: where the offset at noon differs from the day before. */
function changes(year: number, name: TimeZone): number[] {
  const hour = new Intl.DateTimeFormat("en-US", { timeZone: name, hourCycle: "h23", dateStyle: "short", timeStyle: "short" });
  const noons = Array.from({ length: 366 }, (_, day) => Date.UTC(year, 0, 1, 12) + day * DAY);
  const time = (noon: number) => hour.format(noon).split(", ")[1];
  return noons.filter((noon) => time(noon) !== time(noon - DAY));
}

describe("days of a zone", () => {
  it.each(ZONES)(
    "begin in %s when a walk by minutes first meets their date, around each change of the clocks",
    (name) => {
      for (const year of [2010, 2011, 2018, 2026]) {
        for (const change of [...changes(year, name), Date.UTC(year, 5, 15)]) {
          const from = change - 1.6 * DAY;
          const naive = naiveDays(from, change + DAY, name);
          const days = daysFrom(from, change + DAY, name);
          expect(days.slice(1).map(iso), `${year}`).toEqual(naive.map(({ start }) => iso(start)));
          expect(days.slice(1).map((day) => toDate(day, name))).toEqual(naive.map(({ date }) => date));
          for (const { start, date } of naive) {
            expect([startOfDay(start, name), startOfDay(start + HOUR, name)]).toEqual([start, start]);
            expect(toDate(start + 90 * MINUTE, name)).toBe(date);
            expect(startOfDay(start - 1, name)).toBeLessThan(start);
          }
        }
      }
    },
    60_000,
  );

  it("have 23 hours when clocks are put forward, and 25 when they are put back", () => {
    const lengths = (name: string, date: string) => {
      const [, first = 0, second = 0] = daysFrom(at(date) - DAY, at(date) + 3 * DAY, zone(name)).map((day) => day);
      return (second - first) / HOUR;
    };
    expect(lengths("Europe/Berlin", "2026-03-29T12:00Z")).toBe(23);
    expect(lengths("Europe/Berlin", "2026-10-25T12:00Z")).toBe(25);
    expect(lengths("Australia/Lord_Howe", "2026-04-05T00:00Z")).toBe(24.5);
  });

  it("begin at one o'clock where midnight is skipped, as in São Paulo until 2019", () => {
    const name = zone("America/Sao_Paulo");
    expect(iso(startOfDay(at("2018-11-04T12:00Z"), name))).toBe("2018-11-04T03:00:00.000Z");
    expect(toDate(at("2018-11-04T02:59:59.999Z"), name)).toBe("2018-11-03");
    expect(iso(startOfDay(at("2026-11-24T12:00Z"), name))).toBe("2026-11-24T03:00:00.000Z");
  });

  it("leave out a date that a zone skipped, as Samoa did in 2011", () => {
    const name = zone("Pacific/Apia");
    const days = daysFrom(at("2011-12-29T12:00Z"), at("2012-01-01T12:00Z"), name);
    expect(days.map((day) => toDate(day, name))).toEqual(["2011-12-29", "2011-12-31", "2012-01-01", "2012-01-02"]);
  });

  it("begin at half past an hour of UTC in India", () => {
    expect(daysFrom(at("2026-11-24T12:00Z"), at("2026-11-26T18:30Z"), zone("Asia/Kolkata")).map(iso)).toEqual([
      ...["2026-11-24T12:00:00.000Z", "2026-11-24T18:30:00.000Z", "2026-11-25T18:30:00.000Z"],
    ]);
    expect(toDate(at("2026-11-24T18:30Z"), zone("Asia/Kolkata"))).toBe("2026-11-25");
  });
});

describe("daysFrom, daysBefore and startOfDayAfter", () => {
  const berlin = zone("Europe/Berlin");

  it("begin with the time itself, and end before the end", () => {
    expect(daysFrom(5, 6, UTC)).toEqual([5]);
    expect(daysFrom(5, DAY, UTC)).toEqual([5]);
    expect(daysFrom(5, DAY + 1, UTC)).toEqual([5, DAY]);
    expect(daysFrom(0, 2 * DAY, UTC)).toEqual([0, DAY]);
  });

  it("touch every day before a time, and its own if that has begun before", () => {
    expect(daysBefore(3 * DAY, DAY, UTC)).toEqual([2 * DAY]);
    expect(daysBefore(3 * DAY + 1, DAY, UTC)).toEqual([2 * DAY, 3 * DAY]);
    expect(daysBefore(3 * DAY, 0, UTC)).toEqual([]);
    expect(daysBefore(3 * DAY + 1, 0, UTC)).toEqual([3 * DAY]);
    const monday = startOfDay(at("2026-03-30T12:00Z"), berlin);
    expect(daysBefore(monday, 2 * DAY, berlin).map(iso)).toEqual([
      ...["2026-03-26T23:00:00.000Z", "2026-03-27T23:00:00.000Z", "2026-03-28T23:00:00.000Z"],
    ]);
  });

  it("count days, not hours", () => {
    const saturday = at("2026-10-24T20:00Z");
    expect(iso(startOfDayAfter(saturday, 2, berlin))).toBe("2026-10-25T23:00:00.000Z");
    expect(iso(startOfDayAfter(saturday, -1, berlin))).toBe("2026-10-22T22:00:00.000Z");
  });
});

it("toWeekday returns that of the date in the zone", () => {
  const time = at("2026-11-28T20:00Z");
  expect([toWeekday(time, UTC), toWeekday(time, zone("Asia/Kolkata")), toWeekday(at("1969-12-28T12:00Z"), UTC)]).toEqual([6, 0, 0]);
});

it("toDate formats dates as before, including dates before 1970", () => {
  expect([toDate(0, UTC), toDate(-1, UTC), toDate(at("2000-02-29T12:00Z"), zone("Asia/Tokyo"))]).toEqual([
    ...["1970-01-01", "1969-12-31", "2000-02-29"],
  ]);
});

it("dateInWords names the day as the web console does", () => {
  const time = at("2026-11-30T20:00Z");
  expect([dateInWords(time, UTC), dateInWords(time, zone("Asia/Kolkata"))]).toEqual(["Nov 30, 2026", "Dec 1, 2026"]);
});
