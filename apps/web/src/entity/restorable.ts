import type { BatchRequest } from "../api.ts";
import type { Permission } from "../session/account.ts";

type Restorable = {
  permission: Permission;
  /** The request that restores a version, also of what is deleted. */
  restore: (path: { id: string; version: number }) => BatchRequest;
  /** Whether it can change what users get. */
  isTargeting: boolean;
};

const EDIT = { permission: "edit_or_delete_configs", isTargeting: true } as const;

type OfSource = `restore${"Metric" | "Assignment" | "EntityProperty"}SourceVersion` | "restoreQualifyingEventVersion";

/** Sources of rows have no id but their name. */
const ofSource = (operationId: OfSource): Restorable => ({
  permission: "metric_management",
  restore: ({ id: name, version }) => ({ operationId, path: { name, version } }),
  isTargeting: false,
});

/** What can be deleted and restored, by the type that the contract names. */
export const RESTORABLE = {
  gate: { ...EDIT, restore: (path) => ({ operationId: "restoreGateVersion", path }) },
  dynamic_config: { ...EDIT, restore: (path) => ({ operationId: "restoreDynamicConfigVersion", path }) },
  experiment: { ...EDIT, restore: (path) => ({ operationId: "restoreExperimentVersion", path }) },
  autotune: { ...EDIT, restore: (path) => ({ operationId: "restoreAutotuneVersion", path }) },
  layer: { ...EDIT, restore: (path) => ({ operationId: "restoreLayerVersion", path }) },
  holdout: { ...EDIT, restore: (path) => ({ operationId: "restoreHoldoutVersion", path }) },
  segment: { ...EDIT, restore: (path) => ({ operationId: "restoreSegmentVersion", path }) },
  param_store: {
    ...EDIT,
    restore: ({ id: name, version }) => ({ operationId: "restoreParamStoreVersion", path: { name, version } }),
  },
  metric: { permission: "metric_management", restore: (path) => ({ operationId: "restoreMetricVersion", path }), isTargeting: false },
  metric_source: ofSource("restoreMetricSourceVersion"),
  alert: { permission: "manage_alerts", restore: (path) => ({ operationId: "restoreAlertVersion", path }), isTargeting: false },
  assignment_source: ofSource("restoreAssignmentSourceVersion"),
  entity_property_source: ofSource("restoreEntityPropertySourceVersion"),
  qualifying_event: ofSource("restoreQualifyingEventVersion"),
  ingestion_source: {
    permission: "data_warehouse_ingestion_and_exports_edit_access",
    restore: ({ id: name, version }) => ({ operationId: "restoreIngestionSourceVersion", path: { name, version } }),
    isTargeting: false,
  },
  team: { permission: "create_teams", restore: (path) => ({ operationId: "restoreTeamVersion", path }), isTargeting: false },
  tag: { ...EDIT, restore: (path) => ({ operationId: "restoreTagVersion", path }), isTargeting: false },
  target_app: {
    permission: "edit_project_settings",
    restore: (path) => ({ operationId: "restoreTargetAppVersion", path }),
    isTargeting: false,
  },
  unit_id_type: {
    permission: "edit_project_settings",
    restore: (path) => ({ operationId: "restoreUnitIDTypeVersion", path }),
    isTargeting: false,
  },
} as const satisfies Record<string, Restorable>;

export type RestorableType = keyof typeof RESTORABLE;

export const isRestorable = (type: string): type is RestorableType => Object.hasOwn(RESTORABLE, type);
