import type { Schema } from "@gatehouse/contract/console";
import { describe, expect, test } from "vitest";
import { NOTHING, type Sums } from "../pulse/sums.ts";
import type { GroupUnits } from "../sql/exposure-counts.ts";
import { checkExperiment, worstStatus } from "./health.ts";
import type { HealthCheck } from "./health-check.ts";
import type { CheckedMetric } from "./metric-health.ts";

type Experiment = Schema<"Experiment">;

const DAY_MS = 86_400_000;

const experiment = {
  idType: "userID",
  controlGroupID: "control",
  groups: ["control", "test", "other"].map((id) => ({ id, name: `The ${id}`, size: 100 / 3 })),
} as Experiment;

const buildUnits = (groupID: string, size: number, alone: number, crossed = 0, crossedShare = crossed / 2): GroupUnits => ({
  ...{ groupID, groupName: `The ${groupID}`, size, alone, crossed, crossedShare },
});

function check(type: HealthCheck["type"], units: GroupUnits[], metrics: CheckedMetric[] = [], ageMs = DAY_MS): HealthCheck | undefined {
  return checkExperiment(experiment, { units, metrics, events: [], ageMs }).find((one) => one.type === type);
}

describe("has_exposures", () => {
  const nobody = [buildUnits("control", 50, 0), buildUnits("test", 50, 0)];

  test("waits in the first 24 hours, fails after them, and passes with the first unit", () => {
    expect(check("has_exposures", nobody, [], DAY_MS - 1)).toMatchObject({
      status: "WAITING",
      description: "No unit has seen a group yet.",
    });
    expect(check("has_exposures", nobody)).toMatchObject({
      status: "FAILED",
      description: "No unit has seen a group since the start, more than 24 hours ago.",
    });
    expect(check("has_exposures", [buildUnits("control", 50, 1)])).toMatchObject({
      ...{ status: "PASSED", description: "1 unit has seen a group." },
      metadata: { type: "has_exposures", primary_id_type: "userID" },
    });
  });

  test("counts a unit that saw two groups once", () => {
    const units = [buildUnits("control", 50, 1_000, 2), buildUnits("test", 50, 1_000, 2)];
    expect(check("has_exposures", units)?.description).toBe("2,002 units have seen a group.");
  });
});

describe("has_balanced_exposures", () => {
  const balance = (...units: GroupUnits[]) => check("has_balanced_exposures", units);

  test("fails where units are lost, with Pearson's χ² and the p-value for every look", () => {
    const found = balance(buildUnits("control", 50, 5_300), buildUnits("test", 50, 4_700));
    expect(found?.status).toBe("FAILED");
    expect(found?.metadata?.chiSquare).toBeCloseTo(36, 10);
    // The Dirichlet-multinomial likelihood by scipy's gammaln.
    expect(found?.metadata?.pValue).toBeCloseTo(1.8113709101117875e-7, 15);
    expect(found?.description).toContain("χ² = 36, p = 1.8e-7");
    expect(found?.metadata?.groups).toEqual([
      { groupID: "control", groupName: "The control", status: "FAILED", units: 5_300, expectedUnits: 5_000, metrics: [] },
      { groupID: "test", groupName: "The test", status: "FAILED", units: 4_700, expectedUnits: 5_000, metrics: [] },
    ]);
  });

  test("expects what the sizes say, not equal groups", () => {
    expect(balance(buildUnits("control", 95, 9_500), buildUnits("test", 5, 500))).toMatchObject({
      status: "PASSED",
      metadata: { chiSquare: 0, pValue: 1 },
    });
    expect(balance(buildUnits("control", 95, 5_000), buildUnits("test", 5, 5_000))?.status).toBe("FAILED");
  });

  test("warns below p = 0.01, and fails below 0.001 only if a share is off by 0.1% of all units", () => {
    expect(balance(buildUnits("control", 50, 5_190), buildUnits("test", 50, 4_810))?.status).toBe("WARNING");
    expect(balance(buildUnits("control", 50, 5_008_000), buildUnits("test", 50, 4_992_000))).toMatchObject({ status: "WARNING" });
    expect(balance(buildUnits("control", 50, 5_050), buildUnits("test", 50, 4_950))?.status).toBe("PASSED");
  });

  test("leaves out groups that are switched off", () => {
    const found = balance(buildUnits("control", 40, 4_000), buildUnits("test", 40, 4_000), buildUnits("other", 0, 17));
    expect(found?.status).toBe("PASSED");
    expect(found?.metadata?.groups?.[2]).toEqual({
      groupID: "other",
      groupName: "The other",
      status: "NOT_APPLIED",
      units: 17,
      metrics: [],
    });
    expect(balance(buildUnits("control", 40, 4_000), buildUnits("other", 0, 17))?.status).toBe("WAITING");
  });
});

describe("has_crossover", () => {
  test.each([
    [0, "PASSED", "No unit saw two groups."],
    [10, "WARNING", "0.1% of the units saw two groups or more. They are left out of the results."],
    [100, "FAILED", "1% of the units saw two groups or more. They are left out of the results."],
  ])("of %d among 10,000 units is %s", (crossed, status, description) => {
    const alone = (10_000 - crossed) / 2;
    const found = check("has_crossover", [buildUnits("control", 50, alone, crossed), buildUnits("test", 50, alone, crossed)]);
    expect(found).toMatchObject({ status, description, metadata: { crossoverPercent: crossed / 100 } });
  });

  test("shows the share of each group, since leaving units out of unequal groups favours one", () => {
    const found = check("has_crossover", [buildUnits("control", 90, 9_000, 50), buildUnits("test", 10, 950, 50)]);
    expect(found?.metadata?.groups?.map(({ status, crossoverPercent }) => [status, crossoverPercent])).toEqual([
      ["WARNING", 5_000 / 9_050],
      ["FAILED", 5],
    ]);
  });
});

/** Sums of units with this behavior before their exposure: the number of active ones, and the mean and variance over all. */
function sumsBefore(units: number, m: number, mean: number, variance: number): Sums {
  const p = units * mean;
  return { ...NOTHING, n: units, y: 1, m, p, pp: variance * (units - 1) + p * mean };
}

describe("metrics", () => {
  const seen = [buildUnits("control", 50, 1_000), buildUnits("test", 50, 1_000)];
  const metric = (metricID: string, groups?: Record<string, Sums>): CheckedMetric => ({
    ...{ metricID, exists: true, found: groups && { groups, isRatio: false } },
  });

  test("that do not exist are named", () => {
    const missing = { ...metric("gone::sum"), exists: false };
    expect(check("user_metrics_exist", seen, [metric("m::sum"), missing])).toMatchObject({
      ...{ status: "WARNING", description: "It names metrics that do not exist: gone." },
      metadata: { missingMetrics: ["gone::sum"] },
    });
    expect(check("has_event_metrics", seen, [missing])).toBeUndefined();
    const reason = "The metric view::event_user does not exist.";
    const failed = { ...metric("funnel::funnel"), found: { reason } };
    expect(check("user_metrics_exist", seen, [metric("m::sum"), failed])).toMatchObject({
      ...{ status: "WARNING", metadata: { missingMetrics: ["funnel::funnel"] } },
      description: `The last load did not compute funnel. ${reason}`,
    });
  });

  test("without any event of the units are named, and wait before the first load", () => {
    expect(check("has_event_metrics", seen, [metric("m::sum")])).toMatchObject({ status: "WAITING" });
    const found = [metric("m::sum", { control: { ...NOTHING, n: 5, y: 2 } }), metric("silent::sum", { control: { ...NOTHING, n: 5 } })];
    expect(check("has_event_metrics", seen, found)).toMatchObject({
      ...{ status: "WARNING", metadata: { missingMetrics: ["silent::sum"] } },
      description: "No unit has an event of silent. Compare the ids of the exposures with those of the events.",
    });
    const nobody = [buildUnits("control", 50, 0), buildUnits("test", 50, 0)];
    expect(check("has_event_metrics", nobody, [metric("silent::sum", {})])).toMatchObject({
      ...{ status: "WAITING", description: "No unit has been exposed yet." },
    });
  });

  test("that differed before the exposure warn, at a level divided by the number of tests", () => {
    // The standard error of the difference is 0.1, so p is 0.0027 at a distance of 0.3, and 0.00052 at 0.347.
    const groupsAt = (distance: number) => ({
      ...{ control: sumsBefore(2_000, 500, 5, 10), test: sumsBefore(2_000, 500, 5 + distance, 10), other: sumsBefore(2_000, 500, 5, 10) },
    });
    const bias = (...metrics: CheckedMetric[]) => check("pre_experimental_bias_check", seen, metrics);
    expect(bias(metric("m::sum", groupsAt(0.3)))).toMatchObject({ status: "WARNING", metadata: { pValue: expect.closeTo(0.0027, 4) } });
    const four = ["a", "b"].map((name) => metric(`${name}::sum`, groupsAt(0)));
    expect(bias(metric("m::sum", groupsAt(0.3)), ...four)).toMatchObject({ status: "PASSED" });
    expect(bias(metric("m::sum", groupsAt(0.347)), ...four)).toMatchObject({
      status: "WARNING",
      description:
        "Groups differed from the control before their exposure, in m: p = 0.00052. Later differences may not be effects of the experiment.",
      metadata: {
        groups: [
          { groupID: "test", status: "WARNING", metrics: [{ metricKey: "m::sum", metricTitle: "m", status: "WARNING" }, {}, {}] },
          { groupID: "other", status: "PASSED" },
        ],
      },
    });
  });

  test("are not compared before the exposure where fewer than 100 units of a group did anything", () => {
    const groups = { control: sumsBefore(2_000, 99, 5, 10), test: sumsBefore(2_000, 500, 9, 10) };
    expect(check("pre_experimental_bias_check", seen, [metric("m::sum", groups)])).toBeUndefined();
  });
});

test("the status of an experiment is the worst of its checks", () => {
  expect(worstStatus([])).toBe("PASSED");
  expect(worstStatus(["PASSED", "WAITING"])).toBe("WAITING");
  expect(worstStatus(["WAITING", "WARNING", "PASSED"])).toBe("WARNING");
  expect(worstStatus(["WARNING", "FAILED"])).toBe("FAILED");
});
