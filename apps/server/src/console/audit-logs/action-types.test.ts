import { descriptions } from "@gatehouse/contract/console";
import { expect, test } from "vitest";
import { havingActionTypes, toActionType } from "./action-types.ts";

const findType = (operationID: string) => toActionType({ operationID, entityType: "gate", version: 2 });

test("A write has the type of its entity and what it does to it", () => {
  expect(["createMetric", "patchAlert", "updateMetricSource", "restoreHoldoutVersion"].map(findType)).toEqual([
    "metric_create",
    "alert_update",
    "metric_source_update",
    "holdout_restore",
  ]);
});

test("A write that existing clients know by another name has that name", () => {
  expect(["deleteGate", "createKey", "patchExperiment", "addSegmentIDs"].map(findType)).toEqual([
    "config_delete",
    "sdk_key_create",
    "experiment_edit",
    "ID_list_update",
  ]);
});

test("Every write of a kind that entities have in common has an action type, and other writes are called as the operation", () => {
  const writes = Object.values(descriptions).filter(({ isWrite }) => isWrite);
  const nameless = writes.filter(({ operationId }) => findType(operationId) === operationId);
  expect(nameless.filter(({ entity, kind }) => entity && kind)).toEqual([]);
  expect(nameless.map(({ operationId }) => operationId)).toContain("startExperimentPulseLoad");
});

test("Entries of a type are those of all operations that have it, or of the events that do", () => {
  expect(havingActionTypes(["holdout_update", "metric_create"])).toEqual({
    operationIDs: expect.arrayContaining(["createMetric", "patchHoldout", "updateHoldout"]),
    entityTypes: [],
  });
  expect(havingActionTypes(["permission_denied"])).toEqual({ operationIDs: [], entityTypes: ["permission"] });
});

test("An event has the name of its operation, unless existing clients know another one", () => {
  const event = (entityType: string) => toActionType({ operationID: "createGate", entityType, version: 0 });
  expect([event("permission"), event("session")]).toEqual(["permission_denied", "createGate"]);
});
