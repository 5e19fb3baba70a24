import type { EntityType, Schema } from "@gatehouse/contract/console";
import { CORE_UNIT_ID_TYPES, metricID } from "../common/named.ts";
import { CORE_TAG } from "../common/needs.ts";

export type ConfiguredKind = Schema<"ConfiguredKind">;

/** An entity as files have it, or as it is stored. */
export type Entity = { [field: string]: unknown };

/** How the entities of a kind are recognized, and which operations write them. */
type Definition = {
  kind: ConfiguredKind;
  /** The noun of its operations: `Gate` of `createGate`, `patchGate`, and so on. Null for the environments, which one operation replaces. */
  noun: string | null;
  /** The name of an entity among those of its kind, in files and in the project. Undefined if the entity does not state it. */
  identify(entity: Entity): string | undefined;
  /** Whether files state the ID of an entity. */
  hasID?: boolean;
  /** Whether the ID is derived from the name at creation, unless the request has one. */
  derivesID?: true;
  /** For overrides: the type that they belong to. */
  ownerType?: EntityType;
  /** Whether every project has the entity, so that it cannot be removed. */
  isPermanent?(entity: Entity): boolean;
  /** Fields that files cannot have, each with the reason. */
  refused?: { [field: string]: string };
};

const VALIDATION = "cannot be in files, because the URL of the webhook can be a secret. Set it in the settings of the project";

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const byID = { hasID: true, identify: ({ id }: Entity) => text(id) };
const byName = { identify: ({ name }: Entity) => text(name) };

/**
 * Each type of entity: how it is configured, or the reason why it is not configuration. Kinds come after those that they reference, except for
 * references in conditions and between metrics, which are sorted for each entity.
 */
const TYPES = {
  environment_set: { kind: "environments", noun: null, ...byName },
  unit_id_type: {
    kind: "unitIDTypes",
    noun: "UnitIDType",
    ...byName,
    isPermanent: ({ name }) => CORE_UNIT_ID_TYPES.includes(String(name)),
  },
  tag: { kind: "tags", noun: "Tag", ...byName, isPermanent: ({ name }) => name === CORE_TAG },
  target_app: { kind: "targetApps", noun: "TargetApp", ...byName },
  metric_source: { kind: "metricSources", noun: "MetricSource", ...byName },
  entity_property_source: { kind: "entityPropertySources", noun: "EntityPropertySource", ...byName },
  assignment_source: { kind: "assignmentSources", noun: "AssignmentSource", ...byName },
  qualifying_event: { kind: "qualifyingEvents", noun: "QualifyingEvent", ...byName },
  metric: {
    kind: "metrics",
    noun: "Metric",
    identify: ({ name, type }) => (text(name) && text(type) ? metricID({ name: String(name), type: String(type) }) : undefined),
  },
  alert: { kind: "alerts", noun: "Alert", ...byName },
  segment: { kind: "segments", noun: "Segment", ...byID },
  release_pipeline: { kind: "releasePipelines", noun: "ReleasePipeline", ...byID },
  gate: { kind: "gates", noun: "Gate", ...byID },
  gate_overrides: { kind: "gateOverrides", noun: "GateOverrides", ...byID, ownerType: "gate" },
  dynamic_config: { kind: "dynamicConfigs", noun: "DynamicConfig", ...byID },
  layer: { kind: "layers", noun: "Layer", ...byID, derivesID: true },
  experiment: { kind: "experiments", noun: "Experiment", ...byID },
  experiment_overrides: { kind: "experimentOverrides", noun: "ExperimentOverrides", ...byID, ownerType: "experiment" },
  layer_overrides: { kind: "layerOverrides", noun: "LayerOverrides", ...byID, ownerType: "layer" },
  holdout: { kind: "holdouts", noun: "Holdout", ...byID, derivesID: true },
  holdout_overrides: { kind: "holdoutOverrides", noun: "HoldoutOverrides", ...byID, ownerType: "holdout" },
  autotune: { kind: "autotunes", noun: "Autotune", ...byID, derivesID: true },
  param_store: { kind: "paramStores", noun: "ParamStore", ...byName },
  prompt_dataset: { kind: "promptDatasets", noun: "PromptDataset", ...byID, derivesID: true },
  prompt: {
    ...{ kind: "prompts", noun: "Prompt", ...byID, derivesID: true },
    refused: {
      liveVersionID: "cannot be in files, because the IDs of versions differ between projects. Set liveVersion to the name of the version",
    },
  },
  dashboard: { kind: "dashboards", noun: "Dashboard", ...byName },
  settings: {
    ...{ kind: "settings", noun: "Settings", identify: () => "settings", isPermanent: () => true },
    refused: {
      name: "cannot be in files, because it is the name of one project. Rename the project in its settings",
      change_validation_url: VALIDATION,
      change_validation_timeout_ms: VALIDATION,
    },
  },
  attribute: "The server learns attributes from users.",
  autotune_weights: "The server computes weights from results.",
  comment: "Comments are discussion, not configuration.",
  ingestion_schedule: "It belongs to the warehouse of one project.",
  ingestion_source: "It belongs to the warehouse of one project.",
  key: "Keys are secrets of one project.",
  member: "Members are people.",
  model_endpoint: "It has the API key of one project.",
  person: "People are not part of a project.",
  project: "The project itself is not part of its configuration.",
  release: "Releases are changes on their way to users.",
  result_note: "Notes are about the results of one project.",
  review: "Reviews are requests of people.",
  role: "Roles say what people may do.",
  scheduled_change: "Scheduled changes are requests of people.",
  team: "Teams are people.",
  warehouse_connection: "It has the password of a warehouse.",
  webhook: "Its URL can be a secret of one project.",
} satisfies Record<EntityType, Definition | string>;

/** A kind of configuration with its type. `rank` is its place in the order of creation. */
export type Configured = Definition & { type: EntityType; rank: number };

/** The kinds in the order of creation. */
export const CONFIGURED: readonly Configured[] = Object.entries(TYPES as Record<string, Definition | string>).flatMap(
  ([type, definition], rank) => (typeof definition === "string" ? [] : [{ ...definition, type: type as EntityType, rank }]),
);

const BY_TYPE = new Map<string, Configured>(CONFIGURED.map((one) => [one.type, one]));

/** Undefined for a type that is not configuration. */
export const configuredType = (type: string): Configured | undefined => BY_TYPE.get(type);
