/** The pages of entities by the type that the contract names. */
export const ENTITY_PAGES = {
  gate: "/projects/$projectID/gates/$id",
  dynamic_config: "/projects/$projectID/dynamic-configs/$id",
  experiment: "/projects/$projectID/experiments/$id",
  autotune: "/projects/$projectID/autotunes/$id",
  layer: "/projects/$projectID/layers/$id",
  holdout: "/projects/$projectID/holdouts/$id",
  param_store: "/projects/$projectID/param-stores/$id",
  metric: "/projects/$projectID/metrics/$id",
  metric_source: "/projects/$projectID/metric-sources/$id",
  alert: "/projects/$projectID/alerts/$id",
  assignment_source: "/projects/$projectID/assignment-sources/$id",
  entity_property_source: "/projects/$projectID/entity-properties/$id",
  qualifying_event: "/projects/$projectID/qualifying-events/$id",
  ingestion_source: "/projects/$projectID/ingestion-sources/$id",
  prompt: "/projects/$projectID/prompts/$id",
  segment: "/projects/$projectID/segments/$id",
  role: "/projects/$projectID/roles/$id",
  team: "/projects/$projectID/teams/$id",
} as const;

export type PagedType = keyof typeof ENTITY_PAGES;

export const hasPage = (type: string): type is PagedType => Object.hasOwn(ENTITY_PAGES, type);

/** Whether the entity's page shows its versions. A role has none. */
export const hasHistory = (type: string): type is Exclude<PagedType, "role"> => hasPage(type) && type !== "role";
