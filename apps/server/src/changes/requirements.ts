import { evaluated } from "../console/common/parts-elsewhere.ts";
import type { Previews } from "../console/previews.ts";
import { ASKED_BY_AUTHOR, type Requirement } from "../console/reviews/requirement.ts";
import { asksEverywhere, type ReviewRules, requirementsOf, teamIDsOf, type Written } from "../console/reviews/review-rules.ts";
import { createStores, findByID } from "../console/stores.ts";
import { createChangeLog, type Entry } from "../store/change-log/change-log.ts";
import {
  changesOf,
  haveIDsChanged,
  isBehind,
  isEvaluated,
  KINDS,
  mayMatter,
  StaleProject,
  type Work,
  withLatestProject,
} from "./compared.ts";
import { findUnpublished } from "./publishing.ts";

export { ASKED_BY_AUTHOR, type Requirement, withLatestProject };

type Compared = Work & { isLastAttempt?: boolean; skipsReviews?: boolean };
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

type Given = { type: string | undefined; body: unknown };

/**
 * Begins to read the rules that `findRequirements` needs, with the next statement. Undefined if the write probably needs no comparison.
 * Without them, `findRequirements` reads the rules when it has to compare something.
 */
export function readRulesFor({ type, body }: Given, { db, context }: Work): Work["rules"] {
  if (type === undefined || !(isEvaluated(type) || REVIEWED.has(type))) return undefined;
  const hasOnlyLabels = typeof body === "object" && body !== null && Object.keys(evaluated(body)).length === 0;
  if (hasOnlyLabels) return undefined;
  return createStores({ db, context, log: createChangeLog(db, context) }).reviews.rulesWithNext();
}

/**
 * Why a request needs a review, and where its author may not publish what it changes. Empty if it can be executed. Called in its transaction,
 * after its writes. The project is in memory.
 * @param entries the writes of the request
 * @param work.skipsReviews whether settings may not ask for a review
 */
export async function findRequirements(entries: readonly Entry[], work: Compared, previews: Previews): Promise<Requirement[]> {
  const { publishing } = work.context;
  const skipsReviews = work.skipsReviews || work.context.skipsReviews;
  if (skipsReviews && publishing === null) return [];
  const changes = changesOf(entries);
  const asked = skipsReviews ? [] : await findAsked(changes, entries, work, previews);
  return publishing === null ? asked : [...asked, ...(await findUnpublished(changes, entries, work, previews))];
}

/** The settings that ask for a review of changes. */
async function findAsked(changes: readonly Entry[], entries: readonly Entry[], work: Compared, previews: Previews): Promise<Requirement[]> {
  const maySkip = work.context.permissions.has("bypass_reviews_for_overrides");
  const mayCount = (change: Entry) => (isEvaluated(change.type) || REVIEWED.has(change.type)) && mayMatter(change);
  const counted = changes.filter((change) => mayCount(change) && !(maySkip && KINDS.get(change.type)?.scope));
  if (counted.length === 0) return [];
  const written = await Promise.all(counted.map((one) => withOwner(one, work)));
  const ofRulesets = written.filter(({ type }) => isEvaluated(type));
  const others = written.filter(({ type }) => REVIEWED.has(type));
  const { rulesetTime, ...rules } = await readRules(written, work, entries);
  const requiring = rules.environments.filter(({ requiresReview }) => requiresReview).map(({ name }) => name);
  const places = [...requiring, ...(asksEverywhere(ofRulesets, rules) ? [null] : [])];
  const isStale = places.length > 0 && isBehind(rulesetTime, work, previews);
  if (isStale && !work.isLastAttempt) throw new StaleProject();
  const isOther = isStale || (places.length > 0 && (await haveIDsChanged(ofRulesets, work)));
  const found = isOther ? places.map(() => true) : previews.changesIn(work.context.projectID, counted, places);
  const changed = { environments: requiring.filter((_, index) => found[index]), anywhere: found[requiring.length] ?? false };
  return requirementsOf(ofRulesets, others, changed, rules);
}

/** Overrides are reviewed as what they belong to. */
async function withOwner(change: Entry, { db, context }: Work): Promise<Written> {
  const ownerType = KINDS.get(change.type)?.scope?.ownerType;
  if (ownerType === undefined) return change;
  const stores = createStores({ db, context, log: createChangeLog(db, context) });
  return { ...change, owner: ((await findByID(stores, ownerType, change.id)) as object | undefined) ?? null };
}

/** The rules from before the request, even if the request changes them. */
async function readRules(
  written: readonly Written[],
  { db, context, rules }: Work,
  entries: readonly Entry[],
): Promise<ReviewRules & { rulesetTime: number }> {
  const { reviews, teams } = createStores({ db, context, log: createChangeLog(db, context) });
  const before = new Map(entries.toReversed().map((entry) => [`${entry.type} ${entry.id}`, entry.before]));
  const own = <E>(type: string, id: string, current: E): E => {
    const known = before.get(`${type} ${id}`);
    return known === undefined ? current : (known as E);
  };
  const current = await (rules ?? reviews.rulesWithNext())();
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
