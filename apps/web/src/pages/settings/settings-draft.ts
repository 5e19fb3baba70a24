// Edits of a project's settings and environments that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import { changedParts, type DraftModel, describeFields, type Stored } from "../../saving/draft-model.ts";
import type { Change, DescribedEntity } from "../../targeting/changes.ts";
import { equal } from "../../targeting/equal.ts";
import { type FieldWords, fieldChanges, fieldText } from "../../targeting/field-changes.ts";
import { freshName } from "../../targeting/names.ts";
import { subject, text } from "../../targeting/parts.ts";
import type { Fault } from "../../targeting/types.ts";

type Settings = Schema<"Settings">;
type Environment = Schema<"Environment">;

/** The settings as read, and the environments with a separate ETag. Settings don't record who changed them last. */
export type StoredSettings = Stored<Settings & { lastModifierName: null }> & {
  /** The ID of the settings and of the set of environments in changes. */
  readonly projectID: string;
  readonly environments: readonly Environment[];
  readonly environmentsEtag: string;
  /** The project's teams, which can approve changes of environments. */
  readonly teams: readonly Pick<Schema<"Team">, "id" | "name">[];
};

const REVIEW_FIELDS = [
  "is_config_review_required",
  "is_metric_review_required",
  "is_metric_review_required_on_verified_only",
  "is_whn_analysis_only_review_required",
  "is_whn_source_review_required",
  "change_validation_url",
] as const;
const TEAM_FIELDS = ["require_teams_on_configs", "require_owners_on_configs"] as const;
const FIELDS = ["name", "visibility", "default_unit_type", "timeZone", "default_project_role", ...TEAM_FIELDS, ...REVIEW_FIELDS] as const;
export type Fields = Pick<Settings, (typeof FIELDS)[number]>;
/** An environment without an id is new. */
export type EnvironmentDraft = Omit<Environment, "id"> & { id?: string };
type Parts = Fields & { environments: readonly EnvironmentDraft[] };

export type SettingsDraft = {
  readonly stored: StoredSettings;
  readonly fields: Fields;
  readonly environments: readonly EnvironmentDraft[];
};

const WORDS: Record<keyof Fields, FieldWords> = {
  name: { label: "Name", as: "value" },
  visibility: { label: "Visibility", as: "value" },
  default_unit_type: { label: "Default unit ID type", as: "value" },
  timeZone: { label: "Time zone", as: "value" },
  default_project_role: { label: "Default role", as: "value" },
  require_teams_on_configs: { label: "Require a team", as: "value" },
  require_owners_on_configs: { label: "Require an owner", as: "value" },
  is_config_review_required: { label: "Reviews of changes to what users get", as: "value" },
  is_metric_review_required: { label: "Reviews of changes to metrics", as: "value" },
  is_metric_review_required_on_verified_only: { label: "Only of verified metrics", as: "value" },
  is_whn_analysis_only_review_required: { label: "Reviews of experiments analyzed in the warehouse", as: "value" },
  is_whn_source_review_required: { label: "Reviews of changes to data sources", as: "value" },
  change_validation_url: { label: "Webhook that validates changes", as: "value" },
};

const toFields = (settings: Settings): Fields => Object.fromEntries(FIELDS.map((name) => [name, settings[name]])) as Fields;

export const setFields = (draft: SettingsDraft, fields: Partial<Fields>): SettingsDraft => ({
  ...draft,
  fields: { ...draft.fields, ...fields },
});

export const addEnvironment = (environments: readonly EnvironmentDraft[]): EnvironmentDraft[] => [
  ...environments,
  {
    name: freshName(
      "environment",
      environments.map(({ name }) => name),
    ),
    ...{ isProduction: false, requiresReview: false, requiresReleasePipeline: false },
  },
];

export const settingsModel: DraftModel<StoredSettings, SettingsDraft, Parts> = {
  getEtag: ({ etag, environmentsEtag }) => `${etag} ${environmentsEtag}`,
  storedParts: ({ entity, environments }) => ({ ...toFields(entity), environments }),
  draftParts: ({ fields, environments }) => ({ ...fields, environments }),
  createDraft: (stored, { environments, ...fields }) => ({ stored, fields, environments }),
  countChanges: (draft) => describeDraft(draft).reduce((sum, { changes }) => sum + changes.length, 0),
  getName: (part) => (part === "environments" ? "Environments" : WORDS[part].label),
  toText: (part, value) =>
    part === "environments" ? (value as EnvironmentDraft[]).map(({ name }) => name).join(", ") : fieldText(WORDS[part], value),
};

/** The requests of a save, which are stored together. All settings have one version, so the first write of them alone names it. */
export function toWriteRequests(draft: SettingsDraft): BatchRequest[] {
  const { etag, environmentsEtag } = draft.stored;
  const { name, visibility, default_unit_type, timeZone, default_project_role } = draft.fields;
  const changed = changedParts(settingsModel, draft);
  const project: WritableSchema<"SettingsProjectUpdate"> = { name, visibility, default_unit_type, timeZone };
  const pick = <Name extends keyof Fields>(names: readonly Name[]) =>
    Object.fromEntries(names.map((name) => [name, draft.fields[name]])) as Pick<Fields, Name>;
  const settings: BatchRequest[] = [
    ...(["name", "visibility", "default_unit_type", "timeZone"].some((field) => field in changed)
      ? [{ operationId: "updateProjectSettings" as const, body: project }]
      : []),
    ...("default_project_role" in changed ? [{ operationId: "updateRoleSettings" as const, body: { default_project_role } }] : []),
    ...(TEAM_FIELDS.some((field) => field in changed) ? [{ operationId: "updateTeamSettings" as const, body: pick(TEAM_FIELDS) }] : []),
    ...(REVIEW_FIELDS.some((field) => field in changed)
      ? [{ operationId: "updateReviewSettings" as const, body: pick(REVIEW_FIELDS) }]
      : []),
  ];
  // A team that is left out is kept.
  const environments = draft.environments.map((one) => ({ ...one, requiredReviewGroupID: one.requiredReviewGroupID ?? null }));
  return [
    ...settings.map((request, index) => (index === 0 ? ({ ...request, ifMatch: etag } as BatchRequest) : request)),
    ...("environments" in changed
      ? [{ operationId: "updateEnvironments" as const, body: { environments }, ifMatch: environmentsEtag }]
      : []),
  ];
}

/** The changes of a draft in words. */
export function describeDraft({ stored, fields, environments }: SettingsDraft): DescribedEntity[] {
  const { teams, projectID: entityID, entity } = stored;
  const settings = describeFields(WORDS, { type: "settings", noun: "Settings of", id: entity.name }, toFields(entity), fields);
  const changes = environmentChanges(withTeamNames(stored.environments, teams), withTeamNames(environments, teams));
  return [
    ...settings.map((described) => ({ ...described, entityID })),
    ...(changes.length > 0 ? [{ entityType: "environment_set", entityID, title: [text("Environments")], changes }] : []),
  ];
}

const REQUIREMENTS = {
  requiresReview: { label: "reviews required", as: "value" },
  requiresReleasePipeline: { label: "release pipeline required", as: "value" },
  requiredReviewGroupID: { label: "approving team", as: "value" },
} as const satisfies Record<Exclude<keyof Environment, "id" | "name" | "isProduction">, FieldWords>;

/** Changes of an environment's requirements. Missing ones are not required. */
function requirements(old: Partial<EnvironmentDraft>, { name, ...now }: EnvironmentDraft): Change[] {
  const given = (of: Partial<EnvironmentDraft>) => ({
    requiresReview: of.requiresReview || null,
    requiresReleasePipeline: of.requiresReleasePipeline || null,
    requiredReviewGroupID: of.requiredReviewGroupID || null,
  });
  return fieldChanges(REQUIREMENTS, given(old), given({ name, ...now })).map((one) => ({
    ...one,
    field: "environments",
    parts: [subject(`“${name}”`), text(":"), ...one.parts],
  }));
}

/** The team that approves changes of an environment, which names it by ID or name. */
export const findTeam = <Team extends { id: string; name: string }>(teams: readonly Team[], group: string | null | undefined) =>
  teams.find(({ id, name }) => id === group || name === group);

const withTeamNames = (environments: readonly EnvironmentDraft[], teams: StoredSettings["teams"]): EnvironmentDraft[] =>
  environments.map((one) => {
    const team = findTeam(teams, one.requiredReviewGroupID);
    return team === undefined ? one : { ...one, requiredReviewGroupID: team.name };
  });

function environmentChanges(before: readonly EnvironmentDraft[], after: readonly EnvironmentDraft[]): Change[] {
  const change = (kind: Change["kind"], name: string, words: string): Change => ({
    kind,
    field: "environments",
    parts: [subject(`“${name}”`), text(words)],
  });
  const known = new Map(before.map((one) => [one.id, one]));
  const kept = new Set(after.map(({ id }) => id));
  const changed = after.flatMap((one) => {
    const old = one.id === undefined ? undefined : known.get(one.id);
    if (old === undefined) {
      return [change("added", one.name, one.isProduction ? "added: serves real users" : "added"), ...requirements({}, one)];
    }
    return [
      ...(old.name === one.name ? [] : [change("changed", old.name, `: renamed to “${one.name}”`)]),
      ...(old.isProduction === one.isProduction
        ? []
        : [change("changed", one.name, one.isProduction ? ": serves real users" : ": no longer serves real users")]),
      ...requirements(old, one),
    ];
  });
  const removed = before.filter(({ id }) => !kept.has(id)).map(({ name }) => change("removed", name, "removed"));
  const order = (list: readonly EnvironmentDraft[], ids: ReadonlySet<string | undefined>) =>
    list.map(({ id }) => id).filter((id) => id !== undefined && ids.has(id));
  const isMoved = !equal(order(before, kept), order(after, new Set(known.keys())));
  return [...changed, ...removed, ...(isMoved ? [{ kind: "moved" as const, field: "environments", parts: [text("Reordered")] }] : [])];
}

/** The faults of the draft, each with its path in a request. */
export function faultsOfDraft({ fields, environments }: SettingsDraft): Fault[] {
  const names = environments.map(({ name }) => name);
  const error = (property: string, message: string): Fault => ({ property, message, level: "error" });
  return [
    ...(fields.name.trim() === "" ? [error("name", "Enter a name.")] : []),
    ...(fields.timeZone === "" ? [error("timeZone", "Enter a time zone.")] : []),
    ...environments.flatMap(({ name }, index) => [
      ...(name.trim() === "" ? [error(`environments[${index}].name`, "Enter a name.")] : []),
      ...(names.indexOf(name) < index ? [error(`environments[${index}].name`, "Another environment has this name.")] : []),
    ]),
  ];
}
