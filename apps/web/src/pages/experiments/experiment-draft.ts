// Edits of an experiment that are not saved yet. Pure.

import type { BatchRequest, WritableSchema } from "../../api.ts";
import { exact } from "../../charts/format.ts";
import { guardrailFaults } from "../../guardrails/guardrail-draft.ts";
import { changedParts, type FieldsDraft, fieldsModel, type Stored } from "../../saving/draft-model.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import { type FieldWords, fieldChanges } from "../../targeting/field-changes.ts";
import { freshName } from "../../targeting/names.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { subject, text, value } from "../../targeting/parts.ts";
import { REVIEW_WORDS, type ReviewFields, toReviewSettings } from "../../targeting/review-settings.ts";
import { statusName } from "../../targeting/status-names.ts";
import { TEAM_WORDS } from "../../targeting/team-fields.ts";
import type { Fault } from "../../targeting/types.ts";
import { faultsOfText, parseObject } from "../../targeting/values.ts";
import { type AssignmentFilter, faultsOfFilters, filtersBody } from "./assignment-filters.ts";
import { type DescribedGroup, groupChanges } from "./group-changes.ts";
import { metricTestFaults } from "./metric-test.ts";
import { experimentMetricChanges, experimentMetricsText } from "./metric-words.ts";
import type { Experiment } from "./states.ts";

export type StoredExperiment = Stored<Experiment>;

/** A group as it is edited: its values are a text. A group without an id is new. */
export type GroupDraft = { id: string | null; name: string; size: number; values: string; description: string };

export type Fields = Pick<
  Experiment,
  | "name"
  | "description"
  | "hypothesis"
  | "tags"
  | "team"
  | "teamID"
  | "targetingGateID"
  | "controlGroupID"
  | "primaryMetrics"
  | "secondaryMetrics"
> &
  OwnerFields &
  ReviewFields & {
    /** Empty if applications log the exposures. */
    assignmentSourceName: string;
    /** Empty if the source has the experiment under its id. */
    assignmentSourceExperimentName: string;
    assignmentSourceFilters: readonly AssignmentFilter[];
    /** Empty if all units count. */
    qualifyingEventName: string;
    /** Empty if results are not stratified. */
    postStratifyBy: string;
    cureCovariates: readonly { name: string; type: string }[];
    allocation: number;
    /** In days. */
    duration: number;
    groups: readonly GroupDraft[];
  };

export type ExperimentDraft = FieldsDraft<Experiment, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  name: { label: "Name", as: "value" },
  hypothesis: { label: "Hypothesis", as: "text" },
  description: { label: "Description", as: "text" },
  allocation: { label: "Allocation", as: "value" },
  duration: { label: "Planned days", as: "value" },
  targetingGateID: { label: "Targeting gate", as: "value" },
  assignmentSourceName: { label: "Assignment source", as: "value" },
  assignmentSourceExperimentName: { label: "Experiment in the source", as: "value" },
  assignmentSourceFilters: { label: "Conditions of assignments", as: "json" },
  qualifyingEventName: { label: "Qualifying event", as: "value" },
  postStratifyBy: { label: "Post-stratification", as: "value" },
  cureCovariates: { label: "Covariates", as: "json" },
  controlGroupID: { label: "Control group", as: "value" },
  primaryMetrics: { label: "Primary metrics", as: "names" },
  secondaryMetrics: { label: "Secondary metrics", as: "names" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
  ...REVIEW_WORDS,
  tags: { label: "Tags", as: "names" },
  groups: { label: "Groups", as: "json" },
};

/** The lists of metrics that the page edits. */
const METRIC_LISTS = ["primaryMetrics", "secondaryMetrics"] as const;
const isMetricList = (field: keyof Fields): field is (typeof METRIC_LISTS)[number] => METRIC_LISTS.some((list) => list === field);

const toGroupDrafts = ({ groups }: Experiment): GroupDraft[] =>
  groups.map(({ id, name, size, parameterValues, description }) => ({
    ...{ id: id ?? null, name, size, description: description ?? "" },
    values: JSON.stringify(parameterValues ?? {}, undefined, 2),
  }));

const fieldModel = fieldsModel<Experiment, Fields>(WORDS, (experiment) => ({
  name: experiment.name,
  hypothesis: experiment.hypothesis,
  description: experiment.description,
  allocation: experiment.allocation,
  duration: experiment.duration ?? 14,
  targetingGateID: experiment.targetingGateID,
  assignmentSourceName: experiment.assignmentSourceName ?? "",
  assignmentSourceExperimentName: experiment.assignmentSourceExperimentName ?? "",
  assignmentSourceFilters: experiment.assignmentSourceFilters ?? [],
  qualifyingEventName: experiment.qualifyingEventName ?? "",
  postStratifyBy: experiment.postStratifyBy ?? "",
  cureCovariates: experiment.cureCovariates ?? [],
  controlGroupID: experiment.controlGroupID,
  primaryMetrics: experiment.primaryMetrics,
  secondaryMetrics: experiment.secondaryMetrics,
  team: experiment.team,
  teamID: experiment.teamID,
  owner: experiment.owner ?? null,
  reviewSettings: toReviewSettings(experiment.reviewSettings),
  tags: experiment.tags,
  groups: toGroupDrafts(experiment),
}));

export const experimentModel: typeof fieldModel = {
  ...fieldModel,
  toText: (field, value, stored) =>
    isMetricList(field) ? experimentMetricsText(value as Experiment[typeof field]) : fieldModel.toText(field, value, stored),
};

/** Adds a group without a share, with the values of the last. */
export function addGroup(groups: readonly GroupDraft[]): GroupDraft[] {
  const name = freshName(
    "Group",
    groups.map((group) => group.name),
  );
  return [...groups, { id: null, name, size: 0, values: groups.at(-1)?.values ?? "{}", description: "" }];
}

/** Equal shares in steps of 0.01. The first groups get the remainder. */
export function withEqualSizes(groups: readonly GroupDraft[]): GroupDraft[] {
  const steps = 10_000;
  const each = Math.floor(steps / groups.length);
  return groups.map((group, index) => ({ ...group, size: (each + (index < steps - each * groups.length ? 1 : 0)) / 100 }));
}

export function toWriteRequests(draft: ExperimentDraft): BatchRequest[] {
  const { groups, assignmentSourceFilters: filters, cureCovariates: covariates, ...fields } = changedParts(experimentModel, draft);
  const body: WritableSchema<"ExperimentPatch"> = {
    ...fields,
    ...(filters && { assignmentSourceFilters: filtersBody(filters) }),
    ...(covariates && { cureCovariates: [...covariates] }),
    ...(groups && { groups: groups.map(groupBody) }),
  };
  if (Object.keys(body).length === 0) return [];
  return [{ operationId: "patchExperiment", path: { id: draft.stored.entity.id }, body, ifMatch: draft.stored.etag }];
}

const groupBody = ({ id, name, size, values, description }: GroupDraft) => ({
  ...(id !== null && { id }),
  ...{ name, size, description },
  parameterValues: parseObject(values) ?? {},
});

/** The changes of a draft in words: each group apart. */
export function describeDraft({ stored: { entity }, fields }: ExperimentDraft): DescribedEntity[] {
  return describeExperiment(entity, { ...experimentModel.storedParts({ entity, etag: "" }) }, fields);
}

/** The differences between two versions, in words. */
export function describeVersions(before: Experiment, after: Experiment): DescribedEntity[] {
  const toParts = (entity: Experiment) => ({ ...experimentModel.storedParts({ entity, etag: "" }), groups: allOfGroups(entity) });
  return describeExperiment(after, toParts(before), toParts(after), [before.status, after.status]);
}

/** The groups with the properties that only versions have. */
const allOfGroups = (experiment: Experiment): DescribedGroup[] =>
  toGroupDrafts(experiment).map((group, index) => ({ ...experiment.groups[index], ...group }));

type Described = Omit<Fields, "groups"> & { groups: readonly DescribedGroup[] };

function describeExperiment(
  { id }: Experiment,
  { groups: old, ...before }: Described,
  { groups: now, ...after }: Described,
  [from, to]: [string, string] = ["", ""],
): DescribedEntity[] {
  const { groups: _, primaryMetrics: __, secondaryMetrics: ___, ...words } = WORDS;
  const status =
    from === to
      ? []
      : [
          {
            kind: "changed" as const,
            field: "status",
            parts: [subject("Status"), text(":"), value(statusName(from)), text("→"), value(statusName(to))],
          },
        ];
  const metrics = METRIC_LISTS.flatMap((field) => experimentMetricChanges({ field, ...WORDS[field] }, before[field], after[field]));
  const changes = [...status, ...fieldChanges(words, before, after), ...metrics, ...groupChanges(old, now)];
  return changes.length === 0 ? [] : [{ entityType: "experiment", entityID: id, title: [text("Experiment"), subject(`“${id}”`)], changes }];
}

/** The faults of the draft, each with its path in a request. */
export function faultsOfDraft({ stored: { entity }, fields }: ExperimentDraft): Fault[] {
  const guardrails = METRIC_LISTS.flatMap((list) => guardrailFaults(list, fields[list], entity[list]));
  const tests = METRIC_LISTS.flatMap((list) => metricTestFaults(list, fields[list], entity[list]));
  return [
    ...faultsOfGroups(fields.groups),
    ...guardrails,
    ...tests,
    ...faultsOfFilters(entity.assignmentSourceFilters, fields.assignmentSourceFilters),
  ];
}

function faultsOfGroups(groups: readonly GroupDraft[]): Fault[] {
  const names = groups.map(({ name }) => name);
  const faults = groups.flatMap(({ name, values }, index): Fault[] => [
    ...(name.trim() === "" ? [{ property: `groups[${index}].name`, message: "Enter a name.", level: "error" as const }] : []),
    ...(names.indexOf(name) < index
      ? [{ property: `groups[${index}].name`, message: "Another group has this name.", level: "error" as const }]
      : []),
    ...faultsOfText(values, `groups[${index}].parameterValues`),
  ]);
  const sum = groups.reduce((total, { size }) => total + size, 0);
  if (Math.abs(sum - 100) <= 0.001) return faults;
  return [...faults, { property: "groups", message: `Group sizes must add up to 100%. They add up to ${exact(sum)}%.`, level: "error" }];
}
