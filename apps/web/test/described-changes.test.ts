import { describe, expect, test } from "vitest";
import type { kinds } from "../src/kinds/kinds.ts";
import * as alerts from "../src/pages/alerts/alert-draft.ts";
import * as assignmentSources from "../src/pages/assignment-sources/assignment-source-draft.ts";
import * as autotunes from "../src/pages/autotunes/autotune-draft.ts";
import * as dashboards from "../src/pages/dashboards/dashboard-draft.ts";
import * as dynamicConfigs from "../src/pages/dynamic-configs/dynamic-config-draft.ts";
import * as entityProperties from "../src/pages/entity-properties/entity-property-source-draft.ts";
import * as experiments from "../src/pages/experiments/experiment-draft.ts";
import * as gates from "../src/pages/gates/gate-draft.ts";
import * as holdouts from "../src/pages/holdouts/holdout-draft.ts";
import * as ingestionSources from "../src/pages/ingestion-sources/ingestion-source-draft.ts";
import * as layers from "../src/pages/layers/layer-draft.ts";
import * as metricSourceDrafts from "../src/pages/metric-sources/metric-source-draft.ts";
import * as metrics from "../src/pages/metrics/metric-draft.ts";
import * as paramStores from "../src/pages/param-stores/param-store-draft.ts";
import * as promptDatasets from "../src/pages/prompt-datasets/dataset-draft.ts";
import * as qualifyingEventDrafts from "../src/pages/qualifying-events/qualifying-event-draft.ts";
import * as releasePipelines from "../src/pages/release-pipelines/pipeline-draft.ts";
import * as segments from "../src/pages/segments/segment-draft.ts";
import * as settings from "../src/pages/settings/settings-draft.ts";
import * as teams from "../src/pages/teams/team-draft.ts";
import * as webhooks from "../src/pages/webhooks/webhook-draft.ts";
import type { DraftModel, Stored } from "../src/saving/draft-model.ts";
import { tableSourceModel } from "../src/sources/table-source-draft.ts";
import { type DescribedEntity, describeChanges } from "../src/targeting/changes.ts";
import { changedFields } from "../src/targeting/field-changes.ts";
import { withMissingChanges, withMissingFields } from "../src/targeting/missing-changes.ts";
import { gapBetween, type Part } from "../src/targeting/parts.ts";
import { findExample, writableVariants } from "./support/variants.ts";

/**
 * Ids identify the items, the server carries out rollouts, fields of other servers have only one value, and the others are not stored under these
 * names.
 */
const IGNORED = /(^|\.)(id|baseID|sessionIdentifierField)$|\.completedAutomatedRollouts|^variants\[\+\]\.size$|\.statsigUnitID$/;
/** The server refuses fields of another source or type: the examples have a fixed value and an event that is counted. */
const REFUSED = /^parameters\[.\]\.(pass_value|fail_value|(gate|layer|config|experiment|param)_name)$|^metricEvents\[\+\]\.metadataKey$/;
/** `event_count` and `event_dau` are the same step. */
const SAME = /^funnelEventList\[\+\]\.type$/;

type Entity = Readonly<Record<string, unknown>>;

/** How a kind's page describes changes. `draft`: the changes that the page can make; null if one state has none. */
type Describer = {
  example: string;
  /** The schema of its versions. */
  schema: string;
  versions: (before: Entity, after: Entity) => DescribedEntity[];
  draft?: (before: Entity, after: Entity) => { write: string; described: DescribedEntity[] } | null;
};

const NO_OVERRIDES = {
  ...{ passingUserIDs: [], failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [], environmentOverrides: [] },
  version: 1,
};

type Drafts<Draft> = { toWriteRequests: (draft: Draft) => readonly object[]; describeDraft: (draft: Draft) => DescribedEntity[] };

/** The edits that lead from one state to another, as the page's draft would have them. */
function draftBetween<Read extends Stored<object>, Draft extends { readonly stored: Read }, Parts extends object>(
  model: DraftModel<Read, Draft, Parts>,
  { toWriteRequests, describeDraft }: Drafts<Draft>,
) {
  const toStored = (entity: Entity) => ({ entity, etag: "", overrides: NO_OVERRIDES, overridesEtag: "" }) as unknown as Read;
  return (before: Entity, after: Entity) => {
    const draft = model.createDraft(toStored(before), model.storedParts(toStored(after)));
    return model.countChanges(draft) === 0 ? null : { write: JSON.stringify(toWriteRequests(draft)), described: describeDraft(draft) };
  };
}

type Module<Draft, Of> = Drafts<Draft> & { describeVersions: (before: Of, after: Of) => DescribedEntity[] };

const describer = <Read extends Stored<object>, Draft extends { readonly stored: Read }, Parts extends object, Of>(
  example: string,
  schema: string,
  model: DraftModel<Read, Draft, Parts>,
  module: Module<Draft, Of>,
  toAnswer: (entity: Entity) => Entity = (entity) => entity,
): Describer => ({
  ...{ example, schema },
  versions: (before, after) => module.describeVersions(toAnswer(before) as Of, toAnswer(after) as Of),
  draft: (before, after) => draftBetween(model, module)(toAnswer(before), toAnswer(after)),
});

const id = "shown";
const overrideVersions = (type: "gate_overrides") => (before: Entity, after: Entity) =>
  describeChanges([], [{ type, id, idType: "userID", before, after } as never]);
/** Requests can leave out the percentage of a rule, and the server stores one. */
function asConfig(config: Entity): Entity {
  const rules = config.rules as Entity[] | undefined;
  return rules ? { ...config, rules: rules.map((rule) => ({ passPercentage: 100, ...rule })) } : config;
}
const flagVersions = (type: "gate" | "dynamic_config" | "segment") => (before: Entity, after: Entity) =>
  describeChanges([], [{ type, id, before, after } as never]);

/** Requests name the people of a team by their addresses. */
function asTeam(team: Entity): Entity {
  const people = (list: unknown) => (list as unknown[] | undefined)?.map((one) => (typeof one === "string" ? { email: one } : one));
  return { ...team, members: people(team.members), admins: people(team.admins) };
}

type Kinds = typeof kinds;
/** The kinds whose pages show versions. */
type WithHistory = { [Type in keyof Kinds]: Kinds[Type]["tabs"] extends { history: string } ? Type : never }[keyof Kinds];
type Others = "environment_set" | "gate_overrides" | "holdout_overrides";

const DESCRIBERS: Record<WithHistory | Others, Describer> = {
  gate: {
    ...{ example: "GateRead", schema: "GatePatch", versions: flagVersions("gate") },
    draft: draftBetween(gates.gateModel, { ...gates, describeDraft: (draft) => describeChanges([], gates.knownEntities(draft)) }),
  },
  dynamic_config: {
    ...{ example: "DynamicConfigRead", schema: "DynamicConfigPatch" },
    versions: (before, after) => flagVersions("dynamic_config")(asConfig(before), asConfig(after)),
    draft: (before, after) =>
      draftBetween(dynamicConfigs.configModel, {
        ...dynamicConfigs,
        describeDraft: (draft) => describeChanges([], dynamicConfigs.knownEntities(draft)),
      })(asConfig(before), asConfig(after)),
  },
  segment: {
    ...{ example: "SegmentRead", schema: "SegmentPatch", versions: flagVersions("segment") },
    draft: draftBetween(segments.segmentModel, {
      ...segments,
      describeDraft: (draft) => describeChanges([], segments.knownEntities(draft)),
    }),
  },
  experiment: describer("ExperimentRead", "ExperimentPatch", experiments.experimentModel, experiments),
  autotune: describer("AutotuneRead", "AutotunePatch", autotunes.autotuneModel, autotunes),
  layer: describer("LayerRead", "LayerPatch", layers.layerModel, layers),
  holdout: describer("HoldoutRead", "HoldoutPatch", holdouts.holdoutModel, holdouts),
  param_store: describer("ParamStoreRead", "ParamStoreUpdate", paramStores.paramStoreModel, paramStores),
  prompt: { example: "PromptRead", schema: "Prompt", versions: () => [] },
  prompt_dataset: describer("PromptDatasetRead", "PromptDatasetPatch", promptDatasets.datasetModel, promptDatasets),
  metric: describer("MetricRead", "MetricUpdate", metrics.metricModel, metrics),
  metric_source: describer("MetricSourceRead", "MetricSourceUpdate", tableSourceModel, metricSourceDrafts),
  qualifying_event: describer("QualifyingEventRead", "QualifyingEventUpdate", tableSourceModel, qualifyingEventDrafts),
  alert: describer("AlertRead", "AlertPatch", alerts.alertModel, alerts),
  dashboard: describer("DashboardRead", "DashboardPatch", dashboards.dashboardModel, dashboards),
  assignment_source: describer("AssignmentSourceRead", "AssignmentSourcePatch", assignmentSources.assignmentSourceModel, assignmentSources),
  entity_property_source: describer(
    ...(["EntityPropertySourceRead", "EntityPropertySourcePatch", entityProperties.entityPropertySourceModel, entityProperties] as const),
  ),
  ingestion_source: describer("IngestionSourceRead", "IngestionSource", ingestionSources.ingestionSourceModel, ingestionSources),
  environment_set: {
    ...{ example: "EnvironmentsRead", schema: "EnvironmentSetUpdate" },
    versions: (before, after) =>
      settings.describeDraft({
        stored: { entity: {}, environments: before.environments, teams: [] },
        environments: after.environments,
        fields: {},
      } as never),
  },
  gate_overrides: { example: "GateOverridesRead", schema: "OverrideListsUpdate", versions: overrideVersions("gate_overrides") },
  holdout_overrides: { example: "HoldoutOverridesRead", schema: "OverrideListsUpdate", versions: overrideVersions("gate_overrides") },
  release_pipeline: describer("ReleasePipelineRead", "ReleasePipelineUpdate", releasePipelines.pipelineModel, releasePipelines),
  team: describer("TeamRead", "TeamPatch", teams.teamModel, teams, asTeam),
  webhook: describer("WebhookRead", "WebhookPatch", webhooks.webhookModel, webhooks),
};

/** The text that a page shows without a pointer. */
function shownText(entities: readonly DescribedEntity[]): string {
  const partText = (part: Part) => (part.kind === "more" ? part.values.join() : part.text);
  const sentence = (parts: readonly Part[]) => parts.map((part, index) => gapBetween(parts[index - 1], part) + partText(part)).join("");
  const lines = entities.flatMap(({ changes }) =>
    changes.map(({ parts, diff }) => `${sentence(parts)} ${diff?.before ?? ""} ${diff?.after ?? ""}`),
  );
  return lines.join("\n");
}

const areTold = (texts: readonly string[]) => texts.every((text) => text !== "") && new Set(texts).size === texts.length;

const listVariants = ({ example, schema }: Describer) =>
  writableVariants(schema, findExample(example)).filter(({ path }) => ![IGNORED, REFUSED, SAME].some((pattern) => pattern.test(path))) as {
    path: string;
    before: Entity;
    after: Entity[];
  }[];

describe("the history mentions each writable field, and its value", () => {
  test.each(Object.entries(DESCRIBERS))("of a %s", (_, describer) => {
    const variants = listVariants(describer);
    expect(variants.length).toBeGreaterThan(3);
    const missing = variants.filter(
      ({ before, after }) =>
        !areTold(after.map((state) => shownText(withMissingFields(describer.versions(before, state), before, state, [])))),
    );
    expect(missing.map(({ path }) => path)).toEqual([]);
  });
});

const DRAFTS = Object.entries(DESCRIBERS).flatMap(([type, { draft, ...describer }]) => (draft ? [{ type, draft, ...describer }] : []));

describe("the review mentions each writable field, and its value", () => {
  test.each(DRAFTS)("of a $type", ({ draft, ...describer }) => {
    const missing = listVariants(describer).filter(({ before, after }) => {
      // States that send the same request are one.
      const texts = new Map<string, string>();
      for (const state of after) {
        const edited = draft(before, state);
        if (edited === null) continue;
        const { entityType, entityID } = edited.described[0] ?? { entityType: "", entityID: "" };
        const dryRun = [{ entityType, entityID, fields: changedFields(before, state) }];
        texts.set(edited.write, shownText(withMissingChanges(edited.described, dryRun)));
      }
      return !areTold([...texts.values()]);
    });
    expect(missing.map(({ path }) => path)).toEqual([]);
  });
});

test("each page whose requests take a team can change it", () => {
  const fixed = DRAFTS.filter(({ draft, ...describer }) =>
    listVariants(describer).some(
      ({ path, before, after }) => (path === "team" || path === "teamID") && after.some((state) => draft(before, state) === null),
    ),
  );
  expect(fixed.map(({ type }) => type)).toEqual([]);
});
