import type { Schema } from "@gatehouse/contract/console";
import { expect, test } from "vitest";
import { type ArrivedExposures, arrivalChecks } from "./arrival-health.ts";

const experiment = { idType: "companyID" } as Schema<"Experiment">;
const NONE: ArrivedExposures = { asStated: 0, corrected: 0, withoutUnitID: 0, formerRun: 0, beforeStart: 0 };
const check = (arrivals: Partial<ArrivedExposures>) => arrivalChecks(experiment, { ...NONE, ...arrivals });

test("exposures that count as they were sent need no check", () => {
  expect(check({ asStated: 1_000 })).toEqual([]);
  expect(check({})).toEqual([]);
});

test.each([
  [991, 9, "PASSED"],
  [990, 10, "WARNING"],
  [901, 99, "WARNING"],
  [900, 100, "FAILED"],
])("of exposures without the unit ID, %i with one and %i without one are %s", (asStated, withoutUnitID, status) => {
  expect(check({ asStated, withoutUnitID })).toMatchObject([
    { type: "has_valid_unit_type", status, metadata: { primary_id_type: "companyID", exposures: { ...NONE, asStated, withoutUnitID } } },
  ]);
});

test("names what is missing, and what became of wrong times", () => {
  const found = check({ asStated: 900, corrected: 96, withoutUnitID: 1, formerRun: 2, beforeStart: 1 });
  expect(found.map(({ type, status, description }) => [type, status, description])).toEqual([
    [
      "has_valid_unit_type",
      "PASSED",
      "1 exposure (0.1%) arrived without a valid companyID. Users without one don't count, and all get the same group. Send companyID with each user.",
    ],
    [
      "has_plausible_exposure_times",
      "WARNING",
      "99 exposures (9.9%) arrived with a time outside the run. Counted from the arrival on because of a wrong clock: 96; left out because they are from before the last reset: 2; left out because they are from before the start: 1.",
    ],
  ]);
});
