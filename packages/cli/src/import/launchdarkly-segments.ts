import type { Entity } from "../files/documents.ts";
import { type Condition, condition, type FlagRule, mergeEnvironments, type Report, toID, toName } from "./flags.ts";
import { type Clause, differInCase, exactConditions } from "./launchdarkly-exact.ts";

type Contexts = { contextKind?: string; values?: string[] }[];

/** A segment in one environment. */
type Segment = {
  key: string;
  name?: string;
  description?: string;
  tags?: string[];
  included?: string[];
  excluded?: string[];
  includedContexts?: Contexts;
  excludedContexts?: Contexts;
  rules?: { clauses?: Clause[]; weight?: number | null; rolloutContextKind?: string }[];
  /** Whether its users are in a store that the API does not list. */
  unbounded?: boolean;
  deleted?: boolean;
};

/** The segments of each environment, as `GET /api/v2/segments/PROJECT/ENVIRONMENT` returns them. */
export type LaunchDarklySegments = { [environment: string]: Segment[] | { items?: Segment[] } };

type ImportedSegments = {
  segments: Entity[];
  /** The keys of the segments that were imported. */
  imported: ReadonlySet<string>;
  /** The ID of each segment by its key, including segments that were left out. */
  ids: ReadonlyMap<string, string>;
};

type Read = { key: string; definitions: [environment: string, segment: Segment][] };

/**
 * The segments that Gatehouse can have with exactly the same users. Others are reported with the reason, and so are those that match one of them.
 * @param matched the keys of segments that flags match
 */
export function importSegments(given: LaunchDarklySegments, matched: Iterable<string>, report: Report): ImportedSegments {
  const byKey = new Map<string, Read>();
  const keys = new Set(matched);
  for (const [environment, list] of Object.entries(given))
    for (const segment of Array.isArray(list) ? list : (list.items ?? [])) {
      for (const key of [segment.key, ...segmentsIn(segment)]) keys.add(key);
      if (segment.deleted) continue;
      const read = byKey.get(segment.key) ?? { key: segment.key, definitions: [] };
      read.definitions.push([environment, segment]);
      byKey.set(segment.key, read);
    }
  const leaveOut = (key: string, reason: string) => {
    byKey.delete(key);
    report(key, `is a segment that was left out, because ${reason}.`);
  };
  for (const { key, definitions } of [...byKey.values()]) {
    const [reason] = definitions.flatMap(([environment, segment]) => reasonAgainst(segment).map((one) => `${one} in ${environment}`));
    if (reason !== undefined) leaveOut(key, reason);
  }
  for (let found: boolean = true; found; ) {
    found = false;
    for (const { key, definitions } of [...byKey.values()]) {
      const missing = definitions.flatMap(([, segment]) => segmentsIn(segment)).find((one) => !byKey.has(one));
      if (missing === undefined) continue;
      leaveOut(key, `it uses the segment ${missing}, which was not imported`);
      found = true;
    }
  }
  const ids = toIDs([...keys]);
  const segments = [...byKey.values()].map((read) => toSegment(read, ids, Object.keys(given)));
  return { segments, imported: new Set(byKey.keys()), ids };
}

/** A key that is an ID stays as it is, and no other key becomes that ID, so that no reference can mean another segment. */
function toIDs(keys: readonly string[]): Map<string, string> {
  const inAnyCase = keys.map((key) => key.toLowerCase());
  const taken = new Set(inAnyCase);
  const repeated = new Set(inAnyCase.filter((key, index) => inAnyCase.indexOf(key) < index));
  const isID = (key: string) => /^[a-zA-Z0-9_-]{3,96}$/.test(key) && !repeated.has(key.toLowerCase());
  // IDs of segments have no periods.
  return new Map(keys.map((key) => [key, isID(key) ? key : toID(key.replaceAll(".", "_"), taken, () => {})]));
}

const clausesOf = ({ rules = [] }: Segment): Clause[] => rules.flatMap(({ clauses = [] }) => clauses);
const segmentsIn = (segment: Segment) =>
  clausesOf(segment).flatMap(({ op, values = [] }) => (op === "segmentMatch" ? values.map(String) : []));

/** Why a segment would have other users. Empty if it can be imported. */
function reasonAgainst(segment: Segment): string[] {
  const { unbounded = false, includedContexts = [], excludedContexts = [], rules = [] } = segment;
  const kinds = [...includedContexts, ...excludedContexts]
    .filter(({ contextKind = "user", values = [] }) => contextKind !== "user" && values.length > 0)
    .map(({ contextKind }) => `it lists contexts of the kind ${contextKind}`);
  const isShare = rules.some(
    ({ weight = null, rolloutContextKind = "user" }) => weight !== null && (weight < 100_000 || rolloutContextKind !== "user"),
  );
  const inexact = clausesOf(segment).flatMap((clause) => {
    const found = exactConditions(clause);
    return typeof found === "string" ? [[clause.attribute, clause.negate ? "not" : "", clause.op, found].filter(Boolean).join(" ")] : [];
  });
  return [
    ...(unbounded ? ["it is a big segment (the API does not list its users)"] : []),
    ...kinds,
    ...(differInCase(keysIn(segment.included, includedContexts)) ? ["it includes keys that differ only in case"] : []),
    ...(differInCase(keysIn(segment.excluded, excludedContexts)) ? ["it excludes keys that differ only in case"] : []),
    ...(isShare ? ["it has a rule for a percentage of users (Gatehouse would pick other users)"] : []),
    ...(rules.some(({ clauses = [] }) => clauses.length === 0) ? ["it has a rule without conditions"] : []),
    ...inexact,
  ];
}

/** No user has an empty key. */
function keysIn(keys: readonly string[] = [], contexts: Contexts = []): string[] {
  return [...keys, ...contexts.flatMap(({ values = [] }) => values)].filter((key) => key !== "");
}

function toSegment({ key, definitions }: Read, ids: ReadonlyMap<string, string>, environments: readonly string[]): Entity {
  const [[, { name = key, description, tags = [] }]] = definitions as [[string, Segment]];
  const merged = mergeEnvironments(definitions.map(([environment, segment]) => [environment, rulesOf(segment, ids)]));
  const rules = merged.map(({ name: rule, conditions, environments: own = [], shares: [share] }, index) => ({
    id: `rule_${index + 1}`,
    name: merged.filter((one) => one.name === rule).length === 1 ? rule : `${rule} ${index + 1}`,
    passPercentage: share?.percentage ?? 0,
    conditions,
    // A rule without environments applies to all.
    ...(environments.some((one) => !own.includes(one)) && { environments: own }),
  }));
  return {
    id: ids.get(key),
    name: toName(name),
    ...(description && { description: description.slice(0, 1000) }),
    ...{ idType: "userID", type: "rule_based" },
    ...(tags.length > 0 && { tags }),
    rules,
  };
}

/** The first rule that matches a user decides: included keys come before excluded ones, and both before other rules. */
function rulesOf(segment: Segment, ids: ReadonlyMap<string, string>): FlagRule[] {
  const { included = [], excluded = [], includedContexts = [], excludedContexts = [], rules = [] } = segment;
  const listed = (name: string, keys: string[], contexts: Contexts, percentage: number): FlagRule[] => {
    const all = keysIn(keys, contexts);
    if (all.length === 0) return [];
    return [{ name, conditions: [condition("key", "any_case_sensitive", all)], shares: [{ name, percentage, value: true }] }];
  };
  const own = rules.map(({ clauses = [] }): FlagRule => {
    const exact = clauses.map(exactConditions).filter((one) => typeof one !== "string");
    const conditions = exact.flat().map((one) => withID(one, ids));
    return { name: "Rule", conditions, shares: [{ name: "Rule", percentage: 100, value: true }] };
  });
  return [...listed("Included", included, includedContexts, 100), ...listed("Excluded", excluded, excludedContexts, 0), ...own];
}

/** The condition with the ID that a segment has in Gatehouse. */
export function withID(given: Condition, ids: ReadonlyMap<string, string>): Condition {
  if (!/_segment$/.test(given.type)) return given;
  return { ...given, targetValue: ids.get(String(given.targetValue)) ?? given.targetValue };
}
