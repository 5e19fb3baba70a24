import { useEffect } from "react";
import { type CallID, followChanges, invalidate, queryClient } from "../api.ts";

/** The reads that show an entity of each type. What is not listed is read again when its page is opened. */
const READS: Record<string, CallID[]> = {
  gate: ["listGates", "getGate", "listGateVersions", "listGateAlerts", "getGateGuardrails", "listChanges", "listReferences"],
  gate_overrides: ["getGateOverrides", "listChanges"],
  dynamic_config: ["listDynamicConfigs", "getDynamicConfig", "listDynamicConfigVersions", "listChanges", "listReferences"],
  experiment: [
    "listExperiments",
    "getExperiment",
    "listExperimentVersions",
    "getExperimentCumulativeExposures",
    "listExperimentAlerts",
    "getExperimentGuardrails",
    "listLayerExperiments",
    "listChanges",
    "listReferences",
  ],
  autotune: ["listAutotunes", "getAutotune", "listAutotuneVersions", "listChanges"],
  autotune_weights: ["listAutotunes", "getAutotune", "listChanges"],
  segment: ["listSegments", "getSegment", "getSegmentIDList", "listSegmentVersions", "listChanges", "listReferences"],
  layer: ["listLayers", "getLayer", "listLayerVersions", "listChanges", "listReferences"],
  layer_overrides: ["getLayerOverrides", "listChanges"],
  holdout: ["listHoldouts", "getHoldout", "listHoldoutVersions", "listChanges", "listReferences"],
  holdout_overrides: ["getHoldoutOverrides", "listChanges"],
  param_store: ["listParamStores", "getParamStore", "listParamStoreVersions", "listChanges"],
  prompt: ["listPrompts", "getPrompt", "listPromptVersions", "listChanges"],
  metric: ["listMetrics", "getMetric", "listMetricVersions", "listChanges", "listReferences"],
  metric_source: ["listMetricSources", "getMetricSource", "listMetricSourceVersions", "listChanges"],
  alert: ["listAlerts", "getAlert", "listAlertVersions", "listChanges"],
  assignment_source: ["listAssignmentSources", "getAssignmentSource", "listAssignmentSourceVersions", "listChanges"],
  experiment_overrides: ["getExperimentOverrides", "listChanges"],
  key: ["listKeys", "getKey", "listChanges"],
  environment_set: ["getEnvironments"],
  settings: ["getSettings", "getSession"],
  warehouse_connection: ["getWarehouseConnection", "listChanges"],
  tag: ["listTags", "getTag", "listChanges"],
  target_app: ["listTargetApps", "getTargetApp", "listChanges"],
  unit_id_type: ["listUnitIDTypes", "getUnitIDType", "listChanges"],
  role: ["listRoles", "getRole", "listChanges", "getSession"],
  team: ["listTeams", "getTeam", "listChanges"],
  member: ["listUsers", "getUser", "listChanges"],
};

/** Open pages follow what others save. Drafts are not touched: the save bar says that the page is behind. */
export function LiveChanges() {
  useEffect(() => {
    const abort = new AbortController();
    void follow(abort.signal);
    return () => abort.abort();
  }, []);
  return null;
}

async function follow(signal: AbortSignal): Promise<void> {
  try {
    for await (const change of followChanges(signal)) {
      if (change.type === "reset") await queryClient.invalidateQueries();
      else await invalidate(...readsAfter(change));
    }
  } catch {
    // Without the stream a page shows what it read; each read says itself why it fails.
  }
}

/** What a project always has: a deletion empties it, and its page stays. */
const LASTING: ReadonlySet<string> = new Set(["warehouse_connection"]);

/** What is gone is not read again: its page closes, or says so when somebody uses it. */
function readsAfter({ entityType, operationID }: { entityType: string; operationID: string }): CallID[] {
  const reads = READS[entityType] ?? ["listChanges"];
  const isGone = operationID.toLowerCase() === `delete${entityType.replaceAll("_", "")}`;
  return isGone && !LASTING.has(entityType) ? reads.filter((id) => id.startsWith("list")) : reads;
}
