import { useEffect, useState } from "react";
import { type CallID, followChanges, invalidate, queryClient } from "../api.ts";
import { useProject } from "../session/account.ts";

type Kind =
  | "Alert"
  | "Autotune"
  | "DynamicConfig"
  | "Experiment"
  | "Gate"
  | "Holdout"
  | "Layer"
  | "Metric"
  | "ParamStore"
  | "Prompt"
  | "QualifyingEvent";

/** Its list, itself and its versions. */
const readsOf = (kind: Kind | `${"Assignment" | "EntityProperty" | "Ingestion" | "Metric"}Source`): CallID[] => [
  `list${kind}s`,
  `get${kind}`,
  `list${kind}Versions`,
  "listChanges",
];

/** The reads that show an entity of each type. What is not listed is read again when its page is opened. */
const READS: Record<string, CallID[]> = {
  gate: [...readsOf("Gate"), "listGateAlerts", "getGateGuardrails", "listReferences"],
  gate_overrides: ["getGateOverrides", "listChanges"],
  dynamic_config: [...readsOf("DynamicConfig"), "listReferences"],
  experiment: [
    ...readsOf("Experiment"),
    "getExperimentCumulativeExposures",
    "listExperimentAlerts",
    "getExperimentGuardrails",
    "listLayerExperiments",
    "listReferences",
  ],
  autotune: readsOf("Autotune"),
  autotune_weights: ["listAutotunes", "getAutotune", "listChanges"],
  segment: ["listSegments", "getSegment", "getSegmentIDList", "listSegmentVersions", "listChanges", "listReferences"],
  layer: [...readsOf("Layer"), "listReferences"],
  layer_overrides: ["getLayerOverrides", "listChanges"],
  holdout: [...readsOf("Holdout"), "listReferences"],
  holdout_overrides: ["getHoldoutOverrides", "listChanges"],
  param_store: readsOf("ParamStore"),
  prompt: readsOf("Prompt"),
  metric: [...readsOf("Metric"), "listReferences"],
  metric_source: readsOf("MetricSource"),
  alert: readsOf("Alert"),
  assignment_source: readsOf("AssignmentSource"),
  entity_property_source: readsOf("EntityPropertySource"),
  qualifying_event: readsOf("QualifyingEvent"),
  ingestion_source: readsOf("IngestionSource"),
  ingestion_schedule: ["getIngestionSchedule", "listChanges"],
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
export default function LiveChanges() {
  // The account was read before anything that pages show, so nothing that happened in between is missed.
  const [after] = useState(useProject().lastSeq);
  useEffect(() => {
    const abort = new AbortController();
    void follow(after, abort.signal);
    return () => abort.abort();
  }, [after]);
  return null;
}

async function follow(after: number, signal: AbortSignal): Promise<void> {
  const outdated = new Set<CallID>();
  let isReading = false;
  // Changes that arrive while pages are read again share the next reading.
  const readAgain = async () => {
    if (isReading) return;
    isReading = true;
    while (outdated.size > 0) {
      const ids = [...outdated];
      outdated.clear();
      await invalidate(...ids);
    }
    isReading = false;
  };
  try {
    for await (const change of followChanges(after, signal)) {
      if (change.type === "reset") await queryClient.invalidateQueries();
      else for (const id of readsAfter(change)) outdated.add(id);
      void readAgain();
    }
  } catch {
    // Without the stream a page shows what it read; each read says itself why it fails.
  }
}

/** What a project always has: a deletion empties it, and its page stays. */
const LASTING: ReadonlySet<string> = new Set(["warehouse_connection"]);

/** Operations that delete without the name of the entity's type. */
const DELETIONS: ReadonlySet<string> = new Set(["deleteIngestion"]);

/** What is gone is not read again: its page closes, or says so when somebody uses it. */
function readsAfter({ entityType, operationID }: { entityType: string; operationID: string }): CallID[] {
  const reads = READS[entityType] ?? ["listChanges"];
  const isGone = DELETIONS.has(operationID) || operationID.toLowerCase() === `delete${entityType.replaceAll("_", "")}`;
  return isGone && !LASTING.has(entityType) ? reads.filter((id) => id.startsWith("list")) : reads;
}
