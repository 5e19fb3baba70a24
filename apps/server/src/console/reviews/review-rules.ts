import { isDeepStrictEqual } from "node:util";
import type { Schema } from "@gatehouse/contract/console";
import type { Requirement } from "./requirement.ts";

type EnvironmentSet = Pick<Schema<"EnvironmentSet">, "environments">;
type Settings = Partial<Schema<"SettingsReviews">>;
type Team = Pick<Schema<"Team">, "id" | "name" | "requireReviews" | "reviewApproval">;

/** The fields of entities that rules of reviews read. */
type Reviewed = {
  team?: unknown;
  teamID?: string | null;
  reviewSettings?: Schema<"ReviewSettings">;
  isVerified?: boolean;
  assignmentSourceName?: string | null;
};

/** An entity before and after a request; null if it did not or does not exist. Overrides have the entity that they belong to. */
export type Written = { type: string; id: string; before: object | null; after: object | null; owner?: object | null };

/** The settings of a project that ask for reviews, as they are before the request. `teams` are those that the written entities have. */
export type ReviewRules = { environments: EnvironmentSet["environments"]; settings: Settings; teams: readonly Team[] };

/** The environments with reviews in which users would get other values, and whether users of any environment would. */
export type Changed = { environments: readonly string[]; anywhere: boolean };

const SOURCES = new Set(["metric_source", "assignment_source", "entity_property_source", "qualifying_event"]);

/** Fields of metrics and sources that change no result. */
const LABELS = [
  "description",
  "tags",
  "owner",
  "team",
  "teamID",
  "version",
  "lastModifiedTime",
  "lastModifierID",
  "lastModifierName",
  "lastModifierEmail",
];

/**
 * Why a request needs a review.
 * @param evaluated the written entities that applications evaluate
 * @param others the other written entities
 */
export function requirementsOf(
  evaluated: readonly Written[],
  others: readonly Written[],
  changed: Changed,
  rules: ReviewRules,
): Requirement[] {
  const asked: Requirement[] = [];
  for (const { name, requiredReviewGroupID: group } of rules.environments) {
    if (!changed.environments.includes(name)) continue;
    const team = rules.teams.find((one) => one.id === group || one.name === group);
    asked.push(requirement("ENVIRONMENT", name, { team: team ? { id: team.id, name: team.name, adminsOnly: false } : null }));
  }
  if (changed.anywhere) for (const one of evaluated) asked.push(...requirementsOfEntity(one, rules));
  for (const one of [...evaluated, ...others]) asked.push(...requirementsOfResults(one, rules.settings), ...safeguards(one, rules));
  const restricted = asked.length > 0 ? evaluated.flatMap((one) => restrictionsOfTeam(one, rules, asked)) : [];
  return [...new Map([...asked, ...restricted].map((one) => [JSON.stringify(one), one])).values()];
}

/** Whether settings ask for a review in every environment. */
export function asksEverywhere(evaluated: readonly Written[], rules: ReviewRules): boolean {
  return evaluated.some((one) => requirementsOfEntity(one, rules).length > 0);
}

function requirementsOfEntity(written: Written, rules: ReviewRules): Requirement[] {
  const asked: Requirement[] = [];
  for (const state of statesOf(written)) {
    const team = teamOf(state, rules);
    const restriction = { team: team ? allowedBy(team) : null };
    if (team?.requireReviews === true) asked.push(requirement("TEAM", team.name, restriction));
    else if (rules.settings.is_config_review_required && team?.requireReviews !== false)
      asked.push(requirement("PROJECT", "is_config_review_required", restriction));
    const { requiredReview, allowedReviewers = [] } = state.reviewSettings ?? { requiredReview: false };
    const people = allowedReviewers.length > 0 ? allowedReviewers.map(({ id, name, email }) => ({ id, name, email })) : null;
    if (requiredReview) asked.push(requirement("ENTITY", written.id, { ...restriction, people }));
  }
  return asked;
}

/** A team that restricts who approves changes of its entities does so for every review. */
function restrictionsOfTeam(written: Written, rules: ReviewRules, asked: readonly Requirement[]): Requirement[] {
  return statesOf(written).flatMap((state) => {
    const team = teamOf(state, rules);
    const allowed = team && allowedBy(team);
    if (!team || !allowed || asked.some((one) => one.kind !== "ENVIRONMENT" && isDeepStrictEqual(one.team, allowed))) return [];
    return [requirement("TEAM", team.name, { team: allowed })];
  });
}

function requirementsOfResults({ type, before, after }: Written, settings: Settings): Requirement[] {
  if (isDeepStrictEqual(withoutLabels(before), withoutLabels(after))) return [];
  const states = [before, after] as (Reviewed | null)[];
  const asks = (name: keyof Settings) => (settings[name] ? [requirement("PROJECT", name)] : []);
  if (SOURCES.has(type)) return asks("is_whn_source_review_required");
  if (type === "experiment") return states.some((one) => one?.assignmentSourceName) ? asks("is_whn_analysis_only_review_required") : [];
  if (type !== "metric") return [];
  const isVerified = states.some((one) => one?.isVerified);
  return settings.is_metric_review_required_on_verified_only && !isVerified ? [] : asks("is_metric_review_required");
}

function withoutLabels(entity: object | null): object | null {
  return entity && Object.fromEntries(Object.entries(entity).filter(([field]) => !LABELS.includes(field)));
}

/** Easing a rule needs a review. Otherwise a change could avoid its review by changing the rule first. */
function safeguards({ type, id, before, after }: Written, rules: ReviewRules): Requirement[] {
  if (!before) return [];
  switch (type) {
    case "environment_set":
      return easedEnvironments(before as EnvironmentSet, after as EnvironmentSet | null).map((name) => requirement("SAFEGUARD", name));
    case "settings":
      return easedSettings(before as Settings, (after ?? {}) as Settings).map((name) => requirement("SAFEGUARD", name));
    case "team":
      return isTeamEased(before as Team, after as Team | null, rules.settings) ? [requirement("SAFEGUARD", (before as Team).name)] : [];
    default:
      return isEntityEased(before as Reviewed, after as Reviewed | null, rules) ? [requirement("SAFEGUARD", id)] : [];
  }
}

function easedEnvironments(before: EnvironmentSet, after: EnvironmentSet | null): string[] {
  const kept = new Map((after?.environments ?? []).map((one) => [one.id, one]));
  const eased = before.environments.filter(({ id, requiresReview, requiredReviewGroupID }) => {
    const now = kept.get(id);
    return requiresReview && !(now?.requiresReview && now.requiredReviewGroupID === requiredReviewGroupID);
  });
  return eased.map(({ name }) => name);
}

const ASKING = [
  "is_config_review_required",
  "is_metric_review_required",
  "is_whn_analysis_only_review_required",
  "is_whn_source_review_required",
] as const;

function easedSettings(before: Settings, after: Settings): string[] {
  const eased: string[] = ASKING.filter((name) => before[name] && !after[name]);
  if (before.change_validation_url && after.change_validation_url !== before.change_validation_url) eased.push("change_validation_url");
  const only = "is_metric_review_required_on_verified_only";
  return before.is_metric_review_required && !before[only] && after[only] ? [...eased, only] : eased;
}

const STRICTNESS = { anyone: 0, team_only: 1, admin_only: 2 };

function isTeamEased(before: Team, after: Team | null, settings: Settings): boolean {
  const requires = (team: Team | null) => team?.requireReviews ?? settings.is_config_review_required ?? false;
  if (requires(before) && !requires(after)) return true;
  return STRICTNESS[before.reviewApproval] > STRICTNESS[after?.reviewApproval ?? "anyone"];
}

/** A deleted entity has no users, so its deletion is a change of what they get and not an easing. */
function isEntityEased(before: Reviewed, after: Reviewed | null, rules: ReviewRules): boolean {
  if (!after) return false;
  const [was, is] = [before, after].map((state) => state.reviewSettings);
  if (was?.requiredReview && !(is?.requiredReview && isDeepStrictEqual(was.allowedReviewers ?? [], is.allowedReviewers ?? []))) return true;
  const requires = (state: Reviewed) => teamOf(state, rules)?.requireReviews ?? rules.settings.is_config_review_required ?? false;
  return before.teamID !== after.teamID && requires(before) && !requires(after);
}

function statesOf({ before, after, owner }: Written): Reviewed[] {
  return (owner === undefined ? [before, after] : [owner]).filter((state) => state !== null) as Reviewed[];
}

/** The teams of entities, by their ids. */
export function teamIDsOf(written: readonly Written[]): string[] {
  return written.flatMap((one) => statesOf(one).flatMap(({ teamID }) => teamID ?? []));
}

function teamOf({ teamID }: Reviewed, { teams }: ReviewRules): Team | undefined {
  return teamID ? teams.find(({ id }) => id === teamID) : undefined;
}

function allowedBy({ id, name, reviewApproval }: Team): Requirement["team"] {
  return reviewApproval === "anyone" ? null : { id, name, adminsOnly: reviewApproval === "admin_only" };
}

function requirement(kind: Requirement["kind"], name: string, given: Partial<Pick<Requirement, "team" | "people">> = {}): Requirement {
  return { kind, name, team: null, people: null, ...given, isMet: false };
}
