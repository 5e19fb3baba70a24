import { expect, test } from "vitest";
import { summarizeHealth } from "./health-words.ts";

const checks = (...statuses: ("FAILED" | "WARNING" | "PASSED" | "WAITING")[]) => summarizeHealth(statuses.map((status) => ({ status })));

test("the health is that of the worst check", () => {
  expect(checks("PASSED", "FAILED", "WARNING")).toEqual({ tone: "bad", text: "1 health check failed" });
  expect(checks("PASSED", "WARNING", "WARNING")).toEqual({ tone: "warn", text: "2 health warnings" });
  expect(checks("PASSED", "PASSED", "WAITING")).toEqual({ tone: "good", text: "2 health checks passed, 1 waiting for data" });
  expect(checks("WAITING")).toEqual({ tone: "off", text: "1 health check waiting for data" });
});
