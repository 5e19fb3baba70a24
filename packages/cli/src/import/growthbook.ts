import {
  type Condition,
  condition,
  type Flag,
  type FlagRule,
  type Imported,
  isObject,
  mergeEnvironments,
  type Note,
  type Report,
  type Share,
  toConfiguration,
} from "./flags.ts";

type Rule = {
  id?: string;
  description?: string;
  type?: string;
  enabled?: boolean;
  condition?: string | object;
  /** The API has `value` and `variations`, the payload of SDKs `force`. */
  value?: unknown;
  force?: unknown;
  coverage?: number;
  weights?: number[];
  variations?: unknown[];
  hashAttribute?: string;
  savedGroupTargeting?: unknown[];
  prerequisites?: unknown[];
  parentConditions?: unknown[];
};
type Feature = {
  id?: string;
  description?: string;
  archived?: boolean;
  valueType?: string;
  defaultValue?: unknown;
  tags?: string[];
  environments?: { [name: string]: { enabled?: boolean; rules?: Rule[] } };
  rules?: Rule[];
};

/** Reads features of GrowthBook: the response of its API's `features`, or the payload that its SDKs download. */
export function importGrowthBook(given: unknown): Imported {
  const { features = [] } = given as { features?: Feature[] | { [id: string]: Feature } };
  const list = Array.isArray(features) ? features : Object.entries(features).map(([id, feature]) => ({ ...feature, id }));
  const notes: Note[] = [];
  const report: Report = (flag, message) => notes.push({ flag, message });
  const flags = list.filter(({ archived }) => !archived).map((feature) => toFlag(feature, report));
  return { configuration: toConfiguration(flags, report), notes };
}

function toFlag(feature: Feature, report: Report): Flag {
  const { id = "", description, valueType, tags, environments, rules } = feature;
  const isBoolean = valueType === "boolean" || (valueType === undefined && typeof feature.defaultValue === "boolean");
  const parse = (value: unknown) => parseValue(value, valueType);
  const places = environments ? Object.entries(environments) : [];
  const read = (listed: Rule[] = []) => listed.flatMap((rule) => toRule(rule, { id, parse, report }));
  const own = environments ? mergeEnvironments(places.map(([name, { rules: listed }]) => [name, read(listed)])) : read(rules);
  const off = places.filter(([, { enabled }]) => enabled === false).map(([name]) => name);
  return {
    ...{ key: id, description, tags, isBoolean, defaultValue: parse(feature.defaultValue) },
    // A feature that is off in an environment has no value there. Gatehouse returns the default.
    ...{ isEnabled: true, disabledEnvironments: off, rules: own },
  };
}

function parseValue(value: unknown, valueType: string | undefined): unknown {
  if (typeof value !== "string" || valueType === "string" || valueType === undefined) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

type Given = { id: string; parse(value: unknown): unknown; report: Report };

/** None for a rule that is off, or that cannot be expressed. */
function toRule(rule: Rule, { id, parse, report }: Given): FlagRule[] {
  const {
    description,
    type,
    enabled = true,
    coverage = 1,
    hashAttribute,
    savedGroupTargeting = [],
    prerequisites = [],
    parentConditions = [],
  } = rule;
  if (!enabled) return [];
  const leave = (why: string) => {
    report(id, `has a rule that was left out: ${why}.`);
    return [];
  };
  if (savedGroupTargeting.length > 0) return leave("it targets saved groups");
  if (prerequisites.length + parentConditions.length > 0) return leave("it depends on other features");
  const conditions = readConditions(rule.condition);
  if (typeof conditions === "string") return leave(`its condition ${conditions} cannot be expressed`);
  const shares = toShares(rule, parse);
  if (!shares) return leave(`rules of the type ${type ?? "experiment"} are experiments. Create the experiment in Gatehouse`);
  if (hashAttribute && !["id", "userId", "user_id"].includes(hashAttribute))
    report(id, `divides users by ${hashAttribute}. Set the unit ID type.`);
  if (coverage < 1) report(id, "has a partial rollout. Gatehouse divides users again, and users outside of it don't reach later rules.");
  const scaled = shares.map((share) => ({ ...share, percentage: share.percentage * coverage }));
  return [{ name: description?.slice(0, 80) || "Rule", conditions, shares: scaled }];
}

function toShares({ type, value, force, variations, weights }: Rule, parse: (value: unknown) => unknown): Share[] | undefined {
  const forced = force === undefined ? value : force;
  if (Array.isArray(variations) && variations.every((one) => !isObject(one) || !("variationId" in one))) {
    const all = weights ?? variations.map(() => 1 / variations.length);
    return variations.map((one, index) => ({ name: `Variation ${index}`, percentage: (all[index] ?? 0) * 100, value: parse(one) }));
  }
  if (forced === undefined || (type !== undefined && !["force", "rollout"].includes(type))) return undefined;
  return [{ name: "value", percentage: 100, value: parse(forced) }];
}

const OPERATORS: { [operator: string]: string } = {
  $in: "any_case_sensitive",
  $nin: "none_case_sensitive",
  $eq: "any_case_sensitive",
  $ne: "none_case_sensitive",
  $gt: "gt",
  $gte: "gte",
  $lt: "lt",
  $lte: "lte",
  $veq: "version_eq",
  $vne: "version_neq",
  $vgt: "version_gt",
  $vgte: "version_gte",
  $vlt: "version_lt",
  $vlte: "version_lte",
  $regex: "str_matches",
};

/** The conditions of a MongoDB query. Users have to meet all of them. A text names the part that cannot be expressed. */
function readConditions(given: string | object | undefined): Condition[] | string {
  const query: unknown = typeof given === "string" ? (given.trim() === "" ? {} : JSON.parse(given)) : (given ?? {});
  if (!isObject(query)) return JSON.stringify(query);
  const conditions: Condition[] = [];
  for (const [attribute, test] of Object.entries(query)) {
    if (attribute === "$and" && Array.isArray(test)) {
      for (const part of test) {
        const read = readConditions(part as object);
        if (typeof read === "string") return read;
        conditions.push(...read);
      }
    } else if (attribute.startsWith("$")) return attribute;
    else {
      const read = readTests(attribute, test);
      if (typeof read === "string") return read;
      conditions.push(...read);
    }
  }
  return conditions;
}

function readTests(attribute: string, test: unknown): Condition[] | string {
  const tests = isObject(test) ? Object.entries(test) : [["$eq", test] as const];
  const conditions: Condition[] = [];
  for (const [name, value] of tests) {
    const operator = OPERATORS[name];
    if (operator === undefined || isObject(value)) return `${attribute} ${name}`;
    const isList = operator.startsWith("any") || operator.startsWith("none");
    if (isList && typeof value === "number") conditions.push(condition(attribute, operator.startsWith("any") ? "eq" : "neq", value));
    else conditions.push(condition(attribute, operator, isList ? [value].flat().map(String) : value));
  }
  return conditions;
}
