import { expect, test } from "vitest";
import { summarizeHealth } from "./health-words.ts";
import { daysText } from "./result-days.ts";

const checks = (...statuses: ("FAILED" | "WARNING" | "PASSED" | "WAITING")[]) => summarizeHealth(statuses.map((status) => ({ status })));

test("the health is that of the worst check", () => {
  expect(checks("PASSED", "FAILED", "WARNING")).toEqual({ tone: "bad", text: "1 health check failed" });
  expect(checks("PASSED", "WARNING", "WARNING")).toEqual({ tone: "warn", text: "2 health warnings" });
  expect(checks("PASSED", "PASSED", "WAITING")).toEqual({ tone: "good", text: "2 health checks passed, 1 waiting for data" });
  expect(checks("WAITING")).toEqual({ tone: "off", text: "1 health check waiting for data" });
});

const DAY = 86_400_000;

test("a running experiment has days left, and a later one says how long it ran", () => {
  const run = { status: "active", startTime: 0, endTime: null, duration: 14 } as const;
  expect(daysText(run, 2.5 * DAY)).toBe("12 of 14 days left");
  expect(daysText(run, 14 * DAY)).toBe("Planned end reached");
  expect(daysText({ ...run, status: "decision_made", endTime: DAY }, 20 * DAY)).toBe("Ran for 1 day");
  expect(daysText({ ...run, startTime: null }, 0)).toBeUndefined();
});
