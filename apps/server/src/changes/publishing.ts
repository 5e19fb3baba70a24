import { isDeepStrictEqual } from "node:util";
import type { PermittedContext } from "../common/context.ts";
import { AppError } from "../common/errors.ts";
import { publishesIn } from "../common/permissions.ts";
import { listed } from "../common/words.ts";
import type { EnvironmentSet } from "../console/environments/environment-set.ts";
import type { Previews } from "../console/previews.ts";
import { type Requirement, toPublishIn } from "../console/reviews/requirement.ts";
import { createStores } from "../console/stores.ts";
import { createChangeLog, type Entry } from "../store/change-log/change-log.ts";
import { haveIDsChanged, isBehind, isEvaluated, KINDS, mayMatter, StaleProject, type Work } from "./compared.ts";

/**
 * The environments where changes give users something else and their author may not do so. Compares present values and what the
 * server is going to do later. Only called for authors who are limited.
 * @param changes one for each entity
 * @throws AppError unavailable if the server is too far behind to compare
 */
export async function findUnpublished(
  changes: readonly Entry[],
  entries: readonly Entry[],
  { db, context, rules, isLastAttempt }: Work & { isLastAttempt?: boolean },
  previews: Previews,
): Promise<Requirement[]> {
  const evaluated = changes.filter((change) => isEvaluated(change.type) && (mayMatter(change) || movesRelease(change)));
  const scopes = changes.filter(({ type }) => KINDS.get(type)?.ruleset === "scopes");
  if (evaluated.length === 0 && scopes.length === 0) return [];
  const { reviews, environments } = createStores({ db, context, log: createChangeLog(db, context) });
  const first = entries.find(({ type }) => type === "environment_set");
  const before = first === undefined ? await environments.get() : (first.before as unknown as EnvironmentSet | null);
  const names = (before?.environments ?? []).map(({ name }) => name).filter((name) => !publishesIn(context, name));
  if (names.length === 0) return [];
  const ofScopes = names.filter((name) => scopes.some((one) => givesOtherScope(one, name)));
  if (evaluated.length === 0) return ofScopes.map(toPublishIn);
  // Names of environments decide which rules apply, and where a role publishes.
  if (first !== undefined) return names.map(toPublishIn);
  const { rulesetTime } = await (rules ?? reviews.rulesWithNext())();
  if (isBehind(rulesetTime, { db, context }, previews)) {
    if (!isLastAttempt) throw new StaleProject();
    throw new AppError("unavailable", "The server has not read the latest changes of the project yet. Try again.");
  }
  if (await haveIDsChanged(evaluated, { db, context })) return names.map(toPublishIn);
  const [planned, present] = (["planned", "present"] as const).map((as) => previews.changesIn(context.projectID, evaluated, names, as));
  return names.filter((name, index) => planned?.[index] || present?.[index] || ofScopes.includes(name)).map(toPublishIn);
}

/** Whether a release begins, gives its change to others, or ends. The release was checked when it started. Each person who moves it is checked here. */
function movesRelease({ before, after }: Entry): boolean {
  const [was, is] = [before, after].map((state) => (state as { activeRelease?: object } | null)?.activeRelease);
  return !isDeepStrictEqual(was, is);
}

/** The fields of keys and target apps that change no application's ruleset. */
const LABELS = ["description", "scopes", "role", "version", "lastModifiedTime", "lastModifierID", "lastModifierName", "lastModifierEmail"];

/** Whether applications in an environment would download another part of the project, or nothing: their key or a target app has changed. */
function givesOtherScope({ type, before, after }: Entry, environment: string): boolean {
  if (before === null || (before as { type?: string }).type === "CONSOLE") return false;
  if (isDeepStrictEqual(withoutLabels(before), withoutLabels(after))) return false;
  const reach = KINDS.get(type)?.reach.environments;
  if (typeof reach !== "object" || !("of" in reach)) return true;
  const lists = [before, after].filter((state) => state !== null).map((state) => (reach.of as (state: object) => readonly string[])(state));
  return lists.some((list) => list.length === 0 || list.some((one) => one.toLowerCase() === environment.toLowerCase()));
}

function withoutLabels(entity: object | null): object | null {
  return entity && Object.fromEntries(Object.entries(entity).filter(([field]) => !LABELS.includes(field)));
}

/** Whether something other than the author's own limits asks for a review. */
export function needsReview(requirements: readonly Requirement[]): boolean {
  return requirements.some(({ kind }) => kind !== "PUBLISH");
}

type Refused = { requirements: readonly Requirement[]; publishing: PermittedContext["publishing"]; isReviewable: boolean };

/**
 * Requires that the author may publish what a request changes.
 * @param refused.requirements those that nobody has met
 * @param refused.isReviewable whether the request can be stored for a review
 * @throws AppError forbidden that names the environments, the role, and who can make the change
 */
export function requirePublished({ requirements, publishing, isReviewable }: Refused): void {
  const names = requirements.filter(({ kind, isMet }) => kind === "PUBLISH" && !isMet).map(({ name }) => name);
  if (publishing === null || names.length === 0) return;
  const proposal = isReviewable
    ? "Send the request with requestReview=true, so that someone who publishes there can approve it"
    : "Ask someone who publishes there";
  throw new AppError(
    "forbidden",
    `Insufficient permissions. This changes what users get in ${listed(names)}, where ${publishing.grantedBy} does not publish. ${proposal}, or ask an Admin to change the role.`,
  );
}
