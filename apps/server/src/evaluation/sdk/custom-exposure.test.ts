import type { Spec } from "@gatehouse/evaluation";
import { describe, expect, test } from "vitest";
import { compiled } from "../../../test/support/ruleset.ts";
import type { AppError } from "../../common/errors.ts";
import { exposureEvents } from "./custom-exposure.ts";

const spec = (name: string, entity: string, rules: { id: string; name: string; groupName: string | null }[]): Spec => ({
  name,
  type: entity === "gate" ? "feature_gate" : "dynamic_config",
  salt: name,
  enabled: true,
  defaultValue: false,
  idType: "userID",
  entity,
  rules: rules.map((rule) => ({ ...rule, passPercentage: 100, conditions: [], returnValue: true, idType: "userID" })),
});
const ruleset = compiled({
  feature_gates: [spec("sale", "gate", [{ id: "rule_1", name: "Everyone", groupName: null }])],
  dynamic_configs: [spec("button", "experiment", [{ id: "group_1", name: "control", groupName: "Control" }])],
});

const user = { userID: "alice", privateAttributes: { salary: 1 } };
const event = (eventName: string, metadata: object) => ({
  eventName,
  user: { userID: "alice" },
  value: null,
  metadata: { ...metadata, isManualExposure: "true" },
  secondaryExposures: [],
});

describe("exposureEvents", () => {
  test("are the events that SDKs log, with the rule's id and without private attributes", () => {
    const exposures = [
      { user, gateName: "sale", passes: false, group: "Everyone" },
      { user, experimentName: "button", group: "Control" },
      { user, experimentName: "button", ruleID: "group_2" },
      { user, experimentName: "unknown", group: "Control" },
    ];
    expect(exposureEvents({ exposures }, ruleset)).toEqual([
      event("statsig::gate_exposure", { gate: "sale", gateValue: "false", ruleID: "rule_1" }),
      event("statsig::config_exposure", { config: "button", ruleID: "group_1" }),
      event("statsig::config_exposure", { config: "button", ruleID: "group_2" }),
      event("statsig::config_exposure", { config: "unknown", ruleID: "Control" }),
    ]);
  });

  test("have the batch's user if they have none, and accept times in any form", () => {
    const times = [1_763_700_000_000, "1763700000000", "2025-11-21T04:40:00Z", null];
    const exposures = times.map((time) => ({ experimentName: "button", ruleID: "group_1", time }));
    const events = exposureEvents({ user: { userID: "bob" }, exposures }, ruleset);
    expect(events.map((one) => [one.user, one.time])).toEqual([
      [{ userID: "bob" }, 1_763_700_000_000],
      [{ userID: "bob" }, 1_763_700_000_000],
      [{ userID: "bob" }, 1_763_700_000_000],
      [{ userID: "bob" }, undefined],
    ]);
  });

  test("are rejected with all violations together", () => {
    const exposures = [{}, { gateName: "sale", experimentName: "button", ruleID: "x" }, { gateName: "sale", ruleID: "x", time: "noon" }];
    expect(catchViolations(() => exposureEvents({ exposures }, ruleset))).toEqual([
      { property: "exposures[0].gateName", errorMessage: "is required, or experimentName, but not both" },
      { property: "exposures[0].ruleID", errorMessage: "is required unless group is given" },
      { property: "exposures[1].gateName", errorMessage: "is required, or experimentName, but not both" },
      { property: "exposures[1].passes", errorMessage: "is required for a gate" },
      { property: "exposures[2].passes", errorMessage: "is required for a gate" },
      { property: "exposures[2].time", errorMessage: "must be milliseconds since the epoch or an ISO 8601 time" },
    ]);
  });
});

function catchViolations(act: () => unknown) {
  try {
    return act();
  } catch (error) {
    return (error as AppError).violations;
  }
}
