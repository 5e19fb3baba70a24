import { isDeepStrictEqual } from "node:util";
import type { PermittedContext } from "../common/context.ts";
import { kinds } from "../console/kinds.ts";
import type { Previews } from "../console/previews.ts";
import { ASKED_BY_AUTHOR, type Requirement } from "../console/reviews/requirement.ts";
import { asksEverywhere, type ReviewRules, requirementsOf, teamIDsOf, type Written } from "../console/reviews/review-rules.ts";
import { createStores, findByID } from "../console/stores.ts";
import { createChangeLog, type Entry } from "../store/change-log/change-log.ts";
import type { Db } from "../store/database/unit-of-work.ts";

export { ASKED_BY_AUTHOR, type Requirement };

type Work = { db: Db; context: PermittedContext };
type Kind = (typeof kinds)[number];

const KINDS = new Map<string, Kind>(kinds.map((kind) => [kind.type, kind]));
/** Entities that applications don't evaluate, and whose changes may need a review. */
const REVIEWED = new Set([
  "metric",
  "metric_source",
  "assignment_source",
  "entity_property_source",
  "qualifying_event",
  "settings",
  "environment_set",
  "team",
]);

/** Thrown if the project in memory is not the one that the transaction sees, so that nothing can be compared over it. */
class StaleProject extends Error {}

const MAX_ATTEMPTS = 3;

/**
 * Runs work that finds requirements. If the project in memory is not the latest, the work is repeated with the latest. In the last attempt,
 * everything that it cannot compare counts as a change of what users get.
 */
export async function withLatestProject<T>(
  { refresh }: Pick<Previews, "refresh">,
  projectID: string,
  work: (isLastAttempt: boolean) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt === MAX_ATTEMPTS);
    } catch (error) {
      if (!(error instanceof StaleProject)) throw error;
      await refresh(projectID);
    }
  }
}

/**
 * Why a request needs a review. Empty if it needs none. Called in its transaction, after its writes. The project is in memory.
 * @param entries the writes of the request
 */
export async function findRequirements(
  entries: readonly Entry[],
  work: Work & { isLastAttempt?: boolean },
  previews: Previews,
): Promise<Requirement[]> {
  if (work.context.skipsReviews) return [];
  const changes = changesOf(entries).filter(({ type }) => isEvaluated(type) || REVIEWED.has(type));
  const maySkip = work.context.permissions.has("bypass_reviews_for_overrides");
  const counted = changes.filter((change) => mayMatter(change) && !(maySkip && KINDS.get(change.type)?.scope));
  if (counted.length === 0) return [];
  const written = await Promise.all(counted.map((one) => withOwner(one, work)));
  const evaluated = written.filter(({ type }) => isEvaluated(type));
  const others = written.filter(({ type }) => REVIEWED.has(type));
  const { rulesetTime, ...rules } = await readRules(written, work, entries);
  const requiring = rules.environments.filter(({ requiresReview }) => requiresReview).map(({ name }) => name);
  const places = [...requiring, ...(asksEverywhere(evaluated, rules) ? [null] : [])];
  const isStale = places.length > 0 && previews.loadedTime(work.context.projectID) !== rulesetTime;
  if (isStale && !work.isLastAttempt) throw new StaleProject();
  const isOther = isStale || (places.length > 0 && (await haveIDsChanged(evaluated, work)));
  const found = isOther ? places.map(() => true) : previews.changesIn(work.context.projectID, counted, places);
  const changed = { environments: requiring.filter((_, index) => found[index]), anywhere: found[requiring.length] ?? false };
  return requirementsOf(evaluated, others, changed, rules);
}

function isEvaluated(type: string): boolean {
  const ruleset = KINDS.get(type)?.ruleset ?? null;
  return ruleset !== null && ruleset !== "scopes";
}

/** One change for each written entity: as it was before the first write, and is after the last. */
function changesOf(entries: readonly Entry[]): Entry[] {
  const changes = new Map<string, Entry>();
  for (const { type, id, before, after } of entries) {
    const key = `${type} ${id}`;
    const earlier = changes.get(key);
    changes.set(key, { type, id, before: earlier ? earlier.before : before, after });
  }
  return [...changes.values()];
}

/** False if only fields that are never evaluated differ: the cheapest of the checks, and the one that most writes of labels end with. */
function mayMatter({ type, before, after }: Entry): boolean {
  const { environments } = KINDS.get(type)?.reach ?? { environments: "every" };
  if (typeof environments !== "object" || !("elsewhere" in environments)) return true;
  const nowhere = () => false;
  return !isDeepStrictEqual(environments.elsewhere(before, nowhere), environments.elsewhere(after, nowhere));
}

/** Overrides are reviewed as what they belong to. */
async function withOwner(change: Entry, { db, context }: Work): Promise<Written> {
  const ownerType = KINDS.get(change.type)?.scope?.ownerType;
  if (ownerType === undefined) return change;
  const stores = createStores({ db, context, log: createChangeLog(db, context) });
  return { ...change, owner: ((await findByID(stores, ownerType, change.id)) as object | undefined) ?? null };
}

/** The rules as they are before the request, also if it writes them itself. */
async function readRules(
  written: readonly Written[],
  { db, context }: Work,
  entries: readonly Entry[],
): Promise<ReviewRules & { rulesetTime: number }> {
  const { reviews, teams } = createStores({ db, context, log: createChangeLog(db, context) });
  const before = new Map(entries.toReversed().map((entry) => [`${entry.type} ${entry.id}`, entry.before]));
  const own = <E>(type: string, id: string, current: E): E => {
    const known = before.get(`${type} ${id}`);
    return known === undefined ? current : (known as E);
  };
  const current = await reviews.rules();
  const { environments = [] } = own("environment_set", context.projectID, current.environments) ?? {};
  const groups = environments.flatMap(({ requiresReview, requiredReviewGroupID: group }) => (requiresReview && group ? [group] : []));
  const named = [...new Set([...teamIDsOf(written), ...groups])];
  const found = named.length === 0 ? [] : await teams.findNamed(named);
  return {
    rulesetTime: current.rulesetTime,
    environments,
    settings: own("settings", context.projectID, current.settings) ?? {},
    teams: found.map((team) => own("team", team.id, team) ?? team),
  };
}

async function haveIDsChanged(evaluated: readonly Written[], { db, context }: Work): Promise<boolean> {
  const { segments } = createStores({ db, context, log: createChangeLog(db, context) });
  for (const { type, id, before } of evaluated) {
    const since = (before as { version?: number } | null)?.version ?? 1;
    if (type === "segment" && (await segments.ids.version(id)) > since) return true;
  }
  return false;
}
