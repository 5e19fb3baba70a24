import { hashName } from "@gatehouse/evaluation";
import { describe, expect, test } from "vitest";
import { buildGate, buildHoldout, buildProject } from "../../../test/support/evaluated-project.ts";
import { EMPTY_ORIGIN } from "../../../test/support/event-origin.ts";
import { collectChecks, readSecondaryExposures } from "./exposure-checks.ts";

const rules = [{ id: "own", baseID: "own", name: "own", passPercentage: 50, conditions: [], environments: null }];
const project = buildProject({
  gates: [
    buildGate("measured", { rules }),
    buildGate("monitored", { rules, measureMetricLifts: false, monitoringMetrics: [{ name: "m", type: "count" }], idType: "companyID" }),
    buildGate("counted", { rules, measureMetricLifts: false }),
    buildGate("inherited", { rules, idType: "hasOwnProperty" }),
    buildGate("shared"),
  ],
  holdouts: [buildHoldout("held", { passPercentage: 5 }), buildHoldout("shared", { passPercentage: 1 })],
});
const origin = { ...EMPTY_ORIGIN, project, time: 1 };
const units = { userID: "alice", customIDs: { CompanyID: "acme" } };
const toName = (value: unknown) => String(value ?? "").slice(0, 128);
const read = (list: unknown, from = origin) => readSecondaryExposures(list, from, toName);
const check = (gate: string, gateValue: string, ruleID: string, given = units) =>
  collectChecks([{ gate, gateValue, ruleID }], given, origin)[0];

describe("collectChecks", () => {
  test("has the rules of the gate, and those that the compiler adds, and no others", () => {
    const others = ["default", "disabled", "launched", "pass:all:id_override", "fail:staging:id_override", "held", "holdout:shared"];
    for (const rule of ["own", ...others]) expect(check("measured", "true", rule)).toMatchObject({ type: "gate", id: "measured", rule });
    for (const rule of ["", "else", "targetingGate", "pass:nowhere:id_override", "shared", "held:5.00:1"])
      expect(check("measured", "true", rule)).toMatchObject({ rule: null, unit: null });
    for (const rule of ["default", "disabled", "targetingGate", "held:5.00:1", "pass:all:id_override"])
      expect(check("held", "false", rule)).toMatchObject({ type: "holdout", id: "held", rule });
    for (const rule of ["held:6.00:1", "launched", "own"]) expect(check("held", "false", rule)).toMatchObject({ rule: null });
  });

  test("has the unit where a rule decides by chance: for holdouts, and gates that measure", () => {
    expect(check("measured", "false", "own")).toMatchObject({ passed: false, unit: "alice" });
    expect(check("monitored", "true", "own")).toMatchObject({ passed: true, unit: "acme" });
    expect(check("held", "true", "held:5.00:1")).toMatchObject({ passed: true, unit: "alice" });
    expect(check("counted", "true", "own")).toMatchObject({ rule: "own", unit: null });
    for (const rule of ["default", "disabled", "launched", "pass:all:id_override", "held"])
      expect(check("measured", "true", rule)).toMatchObject({ rule, unit: null });
    expect(check("held", "true", "pass:all:id_override")).toMatchObject({ unit: null });
  });

  test("has no unit without a value, and for an ID that is empty or longer than 1,024 bytes", () => {
    expect(check("measured", "", "own")).toEqual({ type: "gate", id: "measured", rule: "own", passed: null, unit: null });
    for (const userID of ["", "ü".repeat(513)]) expect(check("measured", "true", "own", { ...units, userID })?.unit).toBeNull();
    expect(
      collectChecks([{ gate: "monitored", gateValue: "true", ruleID: "own" }], { userID: "a", customIDs: null }, origin)[0]?.unit,
    ).toBeNull();
  });

  test("has no unit of an id type that is called as what every object inherits, unless the user has one", () => {
    expect(check("inherited", "true", "own")?.unit).toBeNull();
    const own = { ...units, customIDs: { ...units.customIDs, hasOwnProperty: "mine" } };
    expect(check("inherited", "true", "own", own as unknown as typeof units)?.unit).toBe("mine");
  });

  test("tells a gate from the holdout with its id by the name in rulesets", () => {
    expect(check("shared", "true", "default")).toMatchObject({ type: "gate", id: "shared" });
    expect(check("holdout:shared", "true", "shared:1.00:1")).toMatchObject({ type: "holdout", id: "shared", rule: "shared:1.00:1" });
  });

  test("counts each gate and holdout once, the first time, and what is not known yet as a gate", () => {
    const exposures = [
      { gate: "measured", gateValue: "true", ruleID: "own" },
      { gate: "measured", gateValue: "false", ruleID: "own" },
      { gate: "new", gateValue: "true", ruleID: "r" },
    ];
    expect(collectChecks(exposures, units, origin)).toEqual([
      { type: "gate", id: "measured", rule: "own", passed: true, unit: "alice" },
      { type: "gate", id: "new", rule: null, passed: true, unit: null },
    ]);
  });
});

describe("readSecondaryExposures", () => {
  test("reads at most 50 of any list, each gate once, and ignores other items", () => {
    const list = Array.from({ length: 60 }, (_, index) => ({ gate: `gate ${index % 55}`, gateValue: "true", ruleID: "r" }));
    expect(read(list)).toHaveLength(50);
    expect(read([null, 1, "x", [], {}, { gate: 5 }, { gate: "" }, { gate: "g" }, { gate: "g", gateValue: "true" }])).toEqual([
      { gate: "g", gateValue: "", ruleID: "" },
    ]);
    for (const none of [undefined, null, {}, "x", []]) expect(read(none)).toEqual([]);
  });

  test("finds names that client SDKs send as hashes, even after the project changed", () => {
    const names = ["measured", "held", "holdout:shared"];
    for (const hash of ["djb2", "sha256"] as const)
      expect(read(names.map((name) => ({ gate: hashName(name, hash) }))).map(({ gate }) => gate)).toEqual(names);
    const changing = { ...origin, project: { ...project, gates: new Map(project.gates) } };
    const later = [{ gate: hashName("later", "djb2") }];
    expect(read(later, changing)[0]?.gate).toBe(hashName("later", "djb2"));
    changing.project.gates.set("later", buildGate("later"));
    expect(read(later, { ...changing, time: 2 })[0]?.gate).toBe("later");
  });
});
