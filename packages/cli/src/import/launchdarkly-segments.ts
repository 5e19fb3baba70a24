import type { Entity } from "../files/documents.ts";
import { type Condition, condition, type FlagRule, mergeEnvironments, type Report, toID } from "./flags.ts";
import { type Clause, toCondition } from "./launchdarkly-clauses.ts";

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
  rules?: { clauses?: Clause[]; weight?: number | null }[];
  /** Whether its users are in a store that the API does not list. */
  unbounded?: boolean;
  deleted?: boolean;
};

/** The segments of each environment, as `GET /api/v2/segments/PROJECT/ENVIRONMENT` returns them. */
export type LaunchDarklySegments = { [environment: string]: Segment[] | { items?: Segment[] } };

type Read = { key: string; definitions: [environment: string, segment: Segment][] };

/**
 * The segments that Gatehouse can have with exactly the same users, and the ID of each by its key. Others are reported with the reason, and so are those
 * that match one of them.
 */
export function importSegments(given: LaunchDarklySegments, report: Report): { segments: Entity[]; ids: ReadonlyMap<string, string> } {
  const byKey = new Map<string, Read>();
  for (const [environment, list] of Object.entries(given))
    for (const segment of Array.isArray(list) ? list : (list.items ?? [])) {
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
  const taken = new Set<string>();
  // IDs of segments have no periods.
  const ids = new Map([...byKey.keys()].map((key) => [key, toID(key.replaceAll(".", "_"), taken, () => {})]));
  return { segments: [...byKey.values()].map((read) => toSegment(read, ids, Object.keys(given))), ids };
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
  const isShare = rules.some(({ weight }) => weight !== undefined && weight !== null && weight < 100_000);
  const inexact = clausesOf(segment)
    .filter((clause) => exactConditions(clause) === undefined)
    .map(({ attribute, op, negate }) => `${[attribute, negate ? "not" : "", op].filter(Boolean).join(" ")} cannot be expressed exactly`);
  return [
    ...(unbounded ? ["it is a big segment (the API does not list its users)"] : []),
    ...kinds,
    ...(isShare ? ["it has a rule for a percentage of users (Gatehouse would pick other users)"] : []),
    ...inexact,
  ];
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
    name: name
      .replaceAll(/[^a-zA-Z0-9_\-. ]/g, "_")
      .slice(0, 100)
      .padEnd(3, "_"),
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
    const all = [...keys, ...contexts.flatMap(({ values = [] }) => values)];
    if (all.length === 0) return [];
    return [{ name, conditions: [condition("key", "any_case_sensitive", all)], shares: [{ name, percentage, value: true }] }];
  };
  const own = rules.map(({ clauses = [] }): FlagRule => {
    const conditions = clauses.flatMap((clause) => exactConditions(clause) ?? []).map((one) => withID(one, ids));
    return { name: "Rule", conditions, shares: [{ name: "Rule", percentage: 100, value: true }] };
  });
  return [...listed("Included", included, includedContexts, 100), ...listed("Excluded", excluded, excludedContexts, 0), ...own];
}

/** The condition with the ID that a segment has in Gatehouse. */
export function withID(given: Condition, ids: ReadonlyMap<string, string>): Condition {
  if (!/_segment$/.test(given.type)) return given;
  return { ...given, targetValue: ids.get(String(given.targetValue)) ?? given.targetValue };
}

const PATTERNS: { [op: string]: [before: string, after: string] } = {
  ...{ startsWith: ["^", ""], endsWith: ["", "$"], contains: ["", ""] },
};

/**
 * Conditions that match the same users as a clause. LaunchDarkly compares parts of texts with their case, and a negated clause never matches a
 * user without the attribute. Undefined if no conditions do.
 */
function exactConditions(clause: Clause): Condition[] | undefined {
  const { attribute = "", op, values = [], negate = false, contextKind = "user" } = clause;
  if (contextKind !== "user") return undefined;
  if (op === "segmentMatch" && negate) return values.map((one) => ({ type: "fails_segment", targetValue: String(one) }));
  const pattern = PATTERNS[op];
  if (pattern) {
    if (negate || values.length === 0) return undefined;
    const parts = values.map((one) => String(one).replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    return [condition(attribute, "str_matches", `${pattern[0]}(?:${parts.join("|")})${pattern[1]}`)];
  }
  const found = toCondition(clause);
  if (!found || (op === "in" && values.includes(""))) return undefined;
  if (!negate || !/^(none|version_neq)/.test(found.operator ?? "") || found.type === "user_id") return [found];
  return found.type === "custom_field" ? [condition(attribute, "is_not_null"), found] : undefined;
}
