import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { numberAxis } from "./axes.ts";
import { DayLine } from "./day-line.tsx";
import { Lines } from "./lines.tsx";
import RolloutSchedule from "./rollout-schedule.tsx";
import { Shares } from "./shares.tsx";
import { Sparkline } from "./sparkline.tsx";
import { StackedBars } from "./stacked-bars.tsx";

const HOUR = 3_600_000;
const START = Date.UTC(2025, 10, 21, 12);
const HOSTILE = '<img src=x onerror="alert(1)">';
const ESCAPED = "&lt;img src=x onerror=&quot;alert(1)&quot;&gt;";

beforeEach(() => {
  vi.stubEnv("TZ", "Europe/Berlin");
  return () => void vi.unstubAllEnvs();
});

const bars = (series: { id: string; label: string; points: { time: number; value: number }[] }[], now?: number) =>
  renderToStaticMarkup(
    createElement(StackedBars, { title: "Checks", unit: "checks", start: START, end: START + 3 * HOUR, interval: "hour", series, now }),
  );
const series = (label: string, ...values: number[]) => ({
  id: label,
  label,
  points: values.map((value, index) => ({ time: START + index * HOUR, value })),
});

describe("StackedBars", () => {
  it("says in words what it shows, in the reader's zone", () => {
    const markup = bars([series("Staff", 5, 0, 7), series("Others", 0, 1, 0)]);
    expect(markup).toContain("13 checks in Nov 21, 2025, 13:00–16:00 GMT+1. Staff: 12 checks; Others: 1 check");
    expect(markup).toContain('aria-valuetext="Nov 21, 2025, 15:00–16:00 GMT+1: 7 checks. Staff 7"');
    expect(markup).toContain(">Checks per hour</text>");
  });

  it("says of the running interval that it is not over", () => {
    expect(bars([series("Staff", 5, 0, 7)], START + 2.5 * HOUR)).toContain(
      'aria-valuetext="Nov 21, 2025, 15:00–16:00 GMT+1, so far: 7 checks. Staff 7"',
    );
  });

  it("says that there is nothing, and draws nothing", () => {
    const markup = bars([series("Staff", 0, 0, 0)]);
    expect(markup).toContain("No checks in this time.");
    expect(markup).not.toContain("<svg");
  });
});

describe("RolloutSchedule", () => {
  const schedule = (more: object) =>
    renderToStaticMarkup(
      createElement(RolloutSchedule, { title: "Rollout", done: [], pending: [], passPercentage: 10, now: START, ...more }),
    );

  it("says in words what was done and what comes", () => {
    const done = [{ time: START - HOUR, passPercent: 10 }];
    const pending = [{ time: START + HOUR, passPercent: 50 }];
    expect(schedule({ done, pending })).toContain("10% now, 1 step done, 1 to come. Next: 50%, planned, Nov 21, 2025, 14:00 GMT+1.");
  });

  it("says of a step in the past that it is not done yet", () => {
    expect(schedule({ pending: [{ time: START - HOUR, passPercent: 50 }] })).toContain(
      "Next: 50%, due, not done yet, Nov 21, 2025, 12:00 GMT+1.",
    );
  });

  it("says of steps that are paused that they come later", () => {
    const pending = [{ time: START + HOUR, passPercent: 50 }];
    expect(schedule({ pending, isPaused: true })).toContain("Next: 50%, paused, later than Nov 21, 2025, 14:00 GMT+1.");
  });

  it("says that no steps are scheduled", () => expect(schedule({})).toContain("No scheduled rollout."));
});

describe("marks", () => {
  const mark = (time: number, text: string) => ({ time, name: text, text });

  it("are listed with their interval in time order, and left out if outside the chart", () => {
    const marks = [mark(START + 2.6 * HOUR, "Rolled back"), mark(START + 2.5 * HOUR, "Rolled out"), mark(START + 3 * HOUR, "Too late")];
    const given = { title: "Checks", unit: "checks", start: START, end: START + 3 * HOUR, interval: "hour" as const, marks };
    const markup = renderToStaticMarkup(createElement(StackedBars, { ...given, series: [series("Staff", 5, 0, 7)] }));
    expect(markup).toContain("15:00–16:00 GMT+1: 7 checks. Staff 7. Rolled out. Rolled back");
    expect(markup).toContain(">2 changes</text>");
    expect(markup).not.toContain("Too late");
  });

  it("appear on the day of the change in the chart's time zone", () => {
    const days = [10, 11].map((day) => ({ time: Date.UTC(2025, 10, day), value: day }));
    const marks = [mark(Date.UTC(2025, 10, 10, 23, 30), "Started")];
    const line = (timeZone: string) =>
      renderToStaticMarkup(
        createElement(DayLine, {
          ...{ title: "Change", points: days, timeZone, column: "Change", axis: numberAxis, empty: "", marks },
          toText: ({ value }) => String(value),
        }),
      );
    expect(line("Europe/Berlin")).toContain('aria-valuetext="Nov 11, 2025 (Europe/Berlin): 11. Started"');
    expect(line("UTC")).toContain('aria-valuetext="Nov 11, 2025 (UTC): 11"');
  });
});

describe("Sparkline", () => {
  const spark = (...values: number[]) => renderToStaticMarkup(createElement(Sparkline, { label: "Last day", unit: "checks", values }));

  it("says its range and its last value", () =>
    expect(spark(4, 1_000, 1)).toContain('aria-label="Last day: from 1 check to 1,000 checks, at last 1 check."'));
  it("draws nothing without values", () => expect(spark()).toBe(""));
});

describe("Lines", () => {
  it("shows a missing value as none, not as zero", () => {
    const missing = { ...series("B", 5), points: [{ time: START, value: 5 }] };
    const markup = renderToStaticMarkup(
      createElement(Lines, { title: "Exposures", unit: "users", interval: "hour", series: [series("A", 1, 2), missing] }),
    );
    expect(markup).toContain('aria-valuetext="Nov 21, 2025, 14:00 GMT+1: A 2, B –"');
    expect(markup).toContain("A: 2 users at last; B: 5 users at last");
  });
});

describe("every chart", () => {
  it("shows hostile names as text", () => {
    const share = { id: "a", label: HOSTILE, percent: 50 };
    for (const markup of [
      bars([series(HOSTILE, 1)]),
      renderToStaticMarkup(createElement(Shares, { title: HOSTILE, shares: [share] })),
      renderToStaticMarkup(createElement(Lines, { title: "L", unit: "users", interval: "day", series: [series(HOSTILE, 1)] })),
    ]) {
      expect(markup).toContain(ESCAPED);
      expect(markup).not.toContain("<img");
    }
  });
});
