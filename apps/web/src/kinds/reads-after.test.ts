import { describe, expect, it } from "vitest";
import { readsAfter } from "./reads-after.ts";

describe("readsAfter", () => {
  it("reads the list, the entity, its versions and the audit log after a change", () => {
    expect(readsAfter({ entityType: "param_store", operationID: "patchParamStore" })).toEqual([
      "listParamStores",
      "getParamStore",
      "listParamStoreVersions",
      "listChanges",
    ]);
  });

  it("also reads what else shows the entity", () => {
    expect(readsAfter({ entityType: "settings", operationID: "updateProjectSettings" })).toEqual([
      "getSettings",
      "listSettingsVersions",
      "getSession",
      "listChanges",
    ]);
  });

  it.each([
    ["metric", "deleteMetric", ["listMetrics", "listMetricVersions", "listReferences", "listChanges"]],
    ["ingestion_source", "deleteIngestion", ["listIngestionSources", "listIngestionSourceVersions", "listChanges"]],
    ["member", "removeProjectMember", ["listUsers", "listChanges"]],
  ])("reads only lists after a deletion of a %s by %s", (entityType, operationID, reads) => {
    expect(readsAfter({ entityType, operationID })).toEqual(reads);
  });

  it("reads the warehouse connection again after it is deleted, since its page stays", () => {
    expect(readsAfter({ entityType: "warehouse_connection", operationID: "deleteWarehouseConnection" })).toEqual([
      "getWarehouseConnection",
      "listChanges",
    ]);
  });

  it("reads the audit log after a change of a type that it does not know", () => {
    expect(readsAfter({ entityType: "invented", operationID: "patchInvented" })).toEqual(["listChanges"]);
  });
});
