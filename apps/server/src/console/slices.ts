import * as alerts from "./alerts/index.ts";
import * as assignmentSources from "./assignment-sources/index.ts";
import * as attributes from "./attributes/index.ts";
import * as auditLogs from "./audit-logs/index.ts";
import * as autotunes from "./autotunes/index.ts";
import * as changes from "./changes/index.ts";
import * as codeReferences from "./code-references/index.ts";
import * as comments from "./comments/index.ts";
import * as configuration from "./configuration/index.ts";
import * as dashboards from "./dashboards/index.ts";
import * as dynamicConfigs from "./dynamic-configs/index.ts";
import * as entityPropertySources from "./entity-properties/index.ts";
import * as environments from "./environments/index.ts";
import * as events from "./events/index.ts";
import * as experiments from "./experiments/index.ts";
import * as exposureCounts from "./exposure-counts/index.ts";
import * as gates from "./gates/index.ts";
import * as holdouts from "./holdouts/index.ts";
import * as ingestion from "./ingestion/index.ts";
import * as ingestionSchedules from "./ingestion-schedule/index.ts";
import * as invitations from "./invitations/index.ts";
import * as keys from "./keys/index.ts";
import * as layers from "./layers/index.ts";
import * as members from "./members/index.ts";
import * as metricSources from "./metric-sources/index.ts";
import * as metrics from "./metrics/index.ts";
import * as modelEndpoints from "./model-endpoint/index.ts";
import * as notifications from "./notifications/index.ts";
import * as paramStores from "./param-stores/index.ts";
import * as passwordResets from "./password-resets/index.ts";
import * as people from "./people/index.ts";
import * as personSecondFactors from "./person-second-factors/index.ts";
import * as personSessions from "./person-sessions/index.ts";
import * as projects from "./projects/index.ts";
import * as promptDatasets from "./prompt-datasets/index.ts";
import * as promptEvaluations from "./prompt-evaluations/index.ts";
import * as prompts from "./prompts/index.ts";
import * as qualifyingEvents from "./qualifying-events/index.ts";
import * as references from "./references/index.ts";
import * as releasePipelines from "./release-pipelines/index.ts";
import * as releases from "./releases/index.ts";
import * as reports from "./reports/index.ts";
import * as resultNotes from "./result-notes/index.ts";
import * as results from "./results/index.ts";
import * as reviews from "./reviews/index.ts";
import * as roles from "./roles/index.ts";
import * as scheduledChanges from "./scheduled-changes/index.ts";
import * as sdks from "./sdks/index.ts";
import * as segments from "./segments/index.ts";
import * as settings from "./settings/index.ts";
import * as tags from "./tags/index.ts";
import * as targetApps from "./target-apps/index.ts";
import * as teams from "./teams/index.ts";
import * as unitData from "./unit-data/index.ts";
import * as unitIDTypes from "./unit-id-types/index.ts";
import * as usage from "./usage/index.ts";
import * as warehouse from "./warehouse/index.ts";
import * as webhooks from "./webhooks/index.ts";

/**
 * Every slice, by the name of its store. Stores, references, handlers, changes of a ruleset's time and the fixtures of tests derive from
 * this list. It has no annotation and no `satisfies`: its handlers depend on `Stores`, which derives from it. `kinds.ts` checks it instead.
 */
export const slices = {
  alerts,
  assignmentSources,
  attributes,
  auditLogs,
  autotunes,
  changes,
  codeReferences,
  comments,
  configuration,
  dashboards,
  dynamicConfigs,
  entityPropertySources,
  environments,
  events,
  experiments,
  exposureCounts,
  gates,
  holdouts,
  ingestion,
  ingestionSchedules,
  invitations,
  keys,
  layers,
  members,
  metricSources,
  metrics,
  modelEndpoints,
  notifications,
  paramStores,
  passwordResets,
  people,
  personSecondFactors,
  personSessions,
  projects,
  promptDatasets,
  promptEvaluations,
  prompts,
  qualifyingEvents,
  references,
  releasePipelines,
  releases,
  reports,
  resultNotes,
  results,
  reviews,
  roles,
  scheduledChanges,
  sdks,
  segments,
  settings,
  tags,
  targetApps,
  teams,
  unitData,
  unitIDTypes,
  usage,
  warehouse,
  webhooks,
};

export type Slices = typeof slices;

type KindOf<One> = One extends { kind: { type: infer Type } } ? Type : never;
type OverridesOf<One> = One extends { overridesKind: { type: infer Type } } ? Type : never;
type WeightsOf<One> = One extends { weightsKind: { type: infer Type } } ? Type : never;

/** The types of all kinds. They are the types that the contract lists. */
export type KindType = {
  [Name in keyof Slices]: KindOf<Slices[Name]> | OverridesOf<Slices[Name]> | WeightsOf<Slices[Name]>;
}[keyof Slices];

/** The types that an entity can reference: those of every `NamedKind`. */
export type ReferableType = {
  [Name in keyof Slices]: Slices[Name]["kind"] extends { named: { as: infer Type } } ? Type : never;
}[keyof Slices];
