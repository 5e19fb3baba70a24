import { expect, test } from "vitest";
import { DAY_MS, dayOfRun, dayText, runText } from "./run-days.ts";

const run = { status: "active", startTime: 0, endTime: null, duration: 14 } as const;

test("every place counts the same days, the first one being 1", () => {
  expect(dayOfRun(run, 0)).toBe("Day 1 of 14");
  expect(dayText(run, 2.5 * DAY_MS)).toBe("Day 3 of 14");
  expect(runText(run, 2.5 * DAY_MS)).toBe("Day 3 of 14, 11 days left");
  expect(runText(run, 12.5 * DAY_MS)).toBe("Day 13 of 14, 1 day left");
  expect(runText(run, 13.5 * DAY_MS)).toBe("Day 14 of 14, the last day");
  expect(runText(run, 14 * DAY_MS)).toBe("Day 14 of 14, planned end reached");
  expect(runText(run, 20.5 * DAY_MS)).toBe("Day 21 (14 planned), planned end reached");
  expect(runText({ ...run, duration: 0 }, 2.5 * DAY_MS)).toBe("Day 3");
  expect(runText({ ...run, startTime: null }, 0)).toBe("");
});

test("a run that is over stays at the day of its end", () => {
  const decided = { ...run, status: "decision_made", endTime: 4.5 * DAY_MS } as const;
  expect(dayText(decided, 30 * DAY_MS)).toBe("Ended on day 5 of 14");
  expect(runText({ ...decided, endTime: 20.5 * DAY_MS }, 30 * DAY_MS)).toBe("Ended on day 21 (14 planned)");
});
