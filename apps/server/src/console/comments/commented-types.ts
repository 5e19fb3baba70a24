import type { Permission } from "@gatehouse/contract";
import { descriptions, type EntityType, type OperationId, type Schema } from "@gatehouse/contract/console";

export type CommentedType = Schema<"CommentedType">;

/** For each type with comments, the operation whose permission is needed to delete other people's comments. For other types, why they have none. */
const TYPES = {
  alert: "deleteAlert",
  assignment_source: "deleteAssignmentSource",
  attribute: { without: "It has no page." },
  autotune: "deleteAutotune",
  autotune_weights: { without: "They are part of an autotune." },
  comment: { without: "Comments are not nested." },
  dashboard: "deleteDashboard",
  dynamic_config: "deleteDynamicConfig",
  entity_property_source: "deleteEntityPropertySource",
  environment_set: { without: "It is a setting." },
  experiment: "deleteExperiment",
  experiment_overrides: { without: "They are part of an experiment." },
  gate: "deleteGate",
  gate_overrides: { without: "They are part of a gate." },
  holdout: "deleteHoldout",
  holdout_overrides: { without: "They are part of a holdout." },
  ingestion_schedule: { without: "It is a setting." },
  ingestion_source: "deleteIngestionSource",
  key: { without: "Not everyone in the project can read it." },
  layer: "deleteLayer",
  layer_overrides: { without: "They are part of a layer." },
  member: { without: "It has no page." },
  metric: "deleteMetric",
  metric_source: "deleteMetricSource",
  model_endpoint: { without: "It is a setting." },
  param_store: "deleteParamStore",
  person: { without: "It belongs to no project." },
  project: { without: "It belongs to no project." },
  // Prompts are archived, not deleted.
  prompt: "patchPrompt",
  prompt_dataset: "deletePromptDataset",
  qualifying_event: "deleteQualifyingEvent",
  release: { without: "The entity that it changes has comments." },
  release_pipeline: "deleteReleasePipeline",
  result_note: { without: "The entity with the results has comments." },
  review: { without: "It has its own comments." },
  role: { without: "Not everyone in the project can read it." },
  scheduled_change: { without: "The entity that it changes has comments." },
  segment: "deleteSegment",
  settings: { without: "It is a setting." },
  tag: { without: "It has no page." },
  target_app: { without: "It has no page." },
  team: "deleteTeam",
  unit_id_type: { without: "It has no page." },
  warehouse_connection: { without: "It is a setting." },
  webhook: { without: "Not everyone in the project can read it." },
} satisfies Record<CommentedType, OperationId> & Record<Exclude<EntityType, CommentedType>, { without: string }>;

/** The types of entities with comments. */
export const COMMENTED_TYPES = Object.entries(TYPES).flatMap(([type, managedBy]) =>
  typeof managedBy === "string" ? [type as CommentedType] : [],
);

/** The permission needed to delete other people's comments on entities of a type. */
export const managingPermission = (type: CommentedType): Permission => descriptions[TYPES[type]].permission as Permission;
