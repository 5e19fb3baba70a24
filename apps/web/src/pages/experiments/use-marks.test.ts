import { expect, it } from "vitest";
import type { Experiment } from "./states.ts";
import { experimentMarks } from "./use-marks.ts";

const version = (lastModifiedTime: number, status: Experiment["status"], allocation: number, name = "Checkout") =>
  ({
    ...{ id: "checkout", name, status, allocation, lastModifiedTime, lastModifierName: "Ada" },
    ...{ groups: [], tags: [], primaryMetrics: [], secondaryMetrics: [] },
  }) as unknown as Experiment;

it("marks the start, the decision and what changed in between, but not a rename", () => {
  const versions = [
    version(50, "decision_made", 50),
    version(40, "active", 50, "Short checkout"),
    version(30, "active", 50),
    version(20, "active", 10),
    version(10, "setup", 5),
    version(5, "setup", 1),
  ];
  expect(experimentMarks(versions, 20)).toEqual([
    { time: 50, name: "Group shipped", text: "Group shipped (Ada)" },
    { time: 20, name: "Started", text: "Started (Ada)" },
    { time: 30, name: "Allocation", text: "Allocation: 10% → 50% (Ada)" },
  ]);
  expect(experimentMarks([], 20)).toEqual([{ time: 20, name: "Started", text: "Started" }]);
  expect(experimentMarks([version(10, "setup", 5)], null)).toEqual([]);
});
