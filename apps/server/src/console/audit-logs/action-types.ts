import { descriptions, type routes } from "@gatehouse/contract/console";

type Routes = typeof routes;

/** The operations that write. */
type WriteID = { [Id in keyof Routes]: Routes[Id] extends { method: "get" } | { readsByPost: true } ? never : Id }[keyof Routes];

/** Writes that existing clients call otherwise than by their entity and kind. */
const KNOWN_TYPES = {
  abandonExperiment: "experiment_abandon",
  addExperimentOverrides: "experiment_overrides_edit",
  addGateOverrides: "gate_overrides_update",
  addGateRule: "config_conditions_update",
  addGateRules: "config_conditions_update",
  addSegmentIDs: "ID_list_update",
  addSegmentUserStoreIDs: "ID_list_update",
  archiveExperiment: "archive_experiment",
  createKey: "sdk_key_create",
  deactivateKey: "sdk_key_deactivate",
  deleteDynamicConfig: "config_delete",
  deleteDynamicConfigRule: "config_conditions_update",
  deleteExperiment: "config_delete",
  deleteGate: "config_delete",
  deleteGateRule: "config_conditions_update",
  deleteKey: "sdk_key_delete",
  deleteSegment: "config_delete",
  disableDynamicConfig: "config_state_toggle",
  disableExperimentGroups: "experiment_edit",
  disableGate: "config_state_toggle",
  enableDynamicConfig: "config_state_toggle",
  enableExperimentGroups: "experiment_edit",
  enableGate: "config_state_toggle",
  makeExperimentDecision: "experiment_decision_make",
  patchDynamicConfigRule: "config_conditions_update",
  patchExperiment: "experiment_edit",
  patchGateRule: "config_conditions_update",
  patchGateRules: "config_conditions_update",
  patchLayer: "layer_edit",
  patchLayerOverrides: "layer_overrides_edit",
  patchTag: "tag_edit",
  removeExperimentOverrides: "experiment_overrides_edit",
  removeGateOverrides: "gate_overrides_update",
  removeLayerOverrides: "layer_overrides_edit",
  removeSegmentIDs: "ID_list_update",
  removeSegmentUserStoreIDs: "ID_list_update",
  resetSegmentIDList: "ID_list_update",
  restartExperimentAsNew: "experiment_restart_as_new",
  restoreDynamicConfigVersion: "config_revert",
  restoreEnvironmentSetVersion: "company_environments_edit",
  restoreExperimentVersion: "config_revert",
  restoreGateVersion: "config_revert",
  restoreSegmentVersion: "config_revert",
  rotateKey: "secret_key_regenerate",
  startExperiment: "experiment_start",
  unarchiveExperiment: "unarchive_experiment",
  updateEnvironments: "company_environments_edit",
  updateExperiment: "experiment_edit",
  updateExperimentOverrides: "experiment_overrides_edit",
  updateGateOverrides: "gate_overrides_update",
  updateLayer: "layer_edit",
  updateLayerOverrides: "layer_overrides_edit",
  updateSegmentRules: "config_conditions_update",
} satisfies { [Id in WriteID]?: string };

/** The verbs of action types that differ from the kind of the operation. */
const VERBS: { [kind: string]: string } = { patch: "update", restoreVersion: "restore" };

/** The action types of writes, such as `gate_create`. Others have their operation's name. */
const ACTION_TYPES: ReadonlyMap<string, string> = new Map([...derivedTypes(), ...Object.entries(KNOWN_TYPES)]);

function derivedTypes(): [string, string][] {
  return Object.values(descriptions).flatMap(({ operationId, isWrite, entity, kind }) =>
    isWrite && entity && kind ? [[operationId, `${entity}_${VERBS[kind] ?? kind}`] as [string, string]] : [],
  );
}

/** The action types of events, by their type. Others have their operation's name. */
const EVENT_ACTIONS: ReadonlyMap<string, string> = new Map([["permission", "permission_denied"]]);

/** The action type of an entry. `version` is 0 for an event, whose operation did not change anything. */
export function toActionType({ operationID, entityType, version }: { operationID: string; entityType: string; version: number }): string {
  const type = version === 0 ? EVENT_ACTIONS.get(entityType) : ACTION_TYPES.get(operationID);
  return type ?? operationID;
}

/** The operations and the types of events that have one of these action types. */
export function havingActionTypes(names: string[]): { operationIDs: string[]; entityTypes: string[] } {
  const havingOne = (types: ReadonlyMap<string, string>) => [...types].flatMap(([name, type]) => (names.includes(type) ? [name] : []));
  return { operationIDs: havingOne(ACTION_TYPES), entityTypes: havingOne(EVENT_ACTIONS) };
}
