import { expect, test } from "vitest";
import { countProgress, daysInWords, lastState, stateOfDay } from "./ingestion-words.ts";

const STAMP = { statusTimestamp: "2025-11-22T09:30:37.000Z" };
const day = (dateStamp: string, ...statuses: ("queued" | "running" | "success" | "failure")[]) => ({
  dateStamp,
  statuses: statuses.map((status) => ({ status, ...STAMP })),
  ...{ rowCount: 0, copiedCount: 0, refusedCount: 0, message: null },
});

test("a copied day differs if the warehouse has more or fewer rows than were copied", () => {
  const of = (status: "success" | "failure" | "running", rowCount: number, copiedCount: number) =>
    stateOfDay({ status, rowCount, copiedCount });
  expect([of("success", 3, 3), of("success", 0, 0), of("success", 4, 3), of("success", 3, 4)]).toEqual([
    ...["copied", "copied", "differs", "differs"],
  ]);
  expect([of("failure", 4, 3), of("running", 4, 3), stateOfDay(undefined)]).toEqual(["failed", "running", "unknown"]);
});

test("a run has done the days that ended, well or not", () => {
  const granularHistory = [
    { source: "a", latestSourceStatus: "running" as const, statusByDate: [day("2025-11-20", "queued", "running", "success")] },
    {
      source: "b",
      latestSourceStatus: "running" as const,
      statusByDate: [day("2025-11-20", "failure"), day("2025-11-21", "queued", "running")],
    },
  ];
  expect(countProgress({ granularHistory })).toEqual({ done: 2, all: 3 });
  expect(lastState(day("2025-11-20"))).toBe("queued");
});

test("days are named by the first and the last, in any order", () => {
  expect(daysInWords({ dateStamps: ["2025-11-21", "2025-11-14", "2025-11-16"] })).toBe("Nov 14 – Nov 21, 2025 (UTC)");
  expect(daysInWords({ dateStamps: ["2025-11-21"] })).toBe("Nov 21, 2025 (UTC)");
  expect(daysInWords({ dateStamps: [] })).toBe("No days");
});
