import type { Entity } from "../files/documents.ts";
import { type Condition, condition, EVERYONE, type Flag, type Imported, type Note, type Report, toConfiguration, toID } from "./flags.ts";

type Constraint = {
  contextName: string;
  operator: string;
  values?: string[];
  value?: string;
  inverted?: boolean;
  caseInsensitive?: boolean;
};
type Strategy = {
  featureName: string;
  name: string;
  title?: string | null;
  disabled?: boolean | null;
  parameters?: { [name: string]: string };
  constraints?: Constraint[];
  segments?: number[];
  variants?: unknown[];
};
type Feature = { name: string; type?: string; description?: string | null; archived?: boolean };
type Export = {
  features?: Feature[];
  featureStrategies?: Strategy[];
  featureEnvironments?: { featureName?: string; name?: string; environment?: string; enabled?: boolean; variants?: unknown[] }[];
  featureTags?: { featureName: string; tagValue: string }[];
  segments?: { id: number; name: string; constraints?: Constraint[] }[];
  dependencies?: { feature: string }[];
};

/** Operators, as they are and inverted. */
const OPERATORS: { [operator: string]: [string, string | undefined] } = {
  IN: ["any_case_sensitive", "none_case_sensitive"],
  NOT_IN: ["none_case_sensitive", "any_case_sensitive"],
  STR_STARTS_WITH: ["str_starts_with_any", undefined],
  STR_ENDS_WITH: ["str_ends_with_any", undefined],
  STR_CONTAINS: ["str_contains_any", "str_contains_none"],
  NUM_EQ: ["eq", "neq"],
  NUM_GT: ["gt", "lte"],
  NUM_GTE: ["gte", "lt"],
  NUM_LT: ["lt", "gte"],
  NUM_LTE: ["lte", "gt"],
  SEMVER_EQ: ["version_eq", "version_neq"],
  SEMVER_GT: ["version_gt", "version_lte"],
  SEMVER_LT: ["version_lt", "version_gte"],
};

/** Reads the export of an Unleash environment: features become gates, and segments segments. */
export function importUnleash(given: unknown): Imported {
  const {
    features = [],
    featureStrategies = [],
    featureEnvironments = [],
    featureTags = [],
    segments = [],
    dependencies = [],
  } = given as Export;
  const notes: Note[] = [];
  const report: Report = (flag, message) => notes.push({ flag, message });
  const taken = new Set<string>();
  const segmentIDs = new Map(segments.map(({ id, name }) => [id, toID(name, taken, () => {})]));
  const flags = features
    .filter(({ archived }) => !archived)
    .map((feature): Flag => {
      const { name, type, description } = feature;
      const own = featureStrategies.filter(({ featureName, disabled }) => featureName === name && !disabled);
      const state = featureEnvironments.find((one) => (one.featureName ?? one.name) === name);
      if ((state?.variants?.length ?? 0) > 0 || own.some(({ variants = [] }) => variants.length > 0))
        report(name, "has variants, which a gate has not. Create a dynamic config for them.");
      if (own.length > 1)
        report(name, "has several strategies. In Gatehouse the first rule that matches a user decides, and later ones are not tried.");
      return {
        ...{ key: name, description: description ?? undefined, isPermanent: type === "permission" || type === "kill-switch" },
        tags: featureTags.filter(({ featureName }) => featureName === name).map(({ tagValue }) => tagValue),
        ...{ isEnabled: state?.enabled ?? true, isBoolean: true, defaultValue: false },
        rules: own.flatMap((strategy) => toRule(strategy, segmentIDs, report)),
      };
    });
  for (const { feature } of dependencies) report(feature, "depends on another feature. Add a condition `passes_gate` for it.");
  const imported = toConfiguration(flags, report);
  const rules = segments.map(({ id, name, constraints }): Entity => {
    if (!constraints) {
      report(name, "is a segment whose constraints are not in the export, so it has no users. Add its rules.");
      return { id: segmentIDs.get(id), name: segmentIDs.get(id), type: "rule_based", rules: [] };
    }
    const conditions = constraints.flatMap((one) => toCondition(one, name, report) ?? []);
    const rule = { id: "rule_1", name: "Constraints", passPercentage: 100, conditions: constraints.length > 0 ? conditions : [EVERYONE] };
    return {
      id: segmentIDs.get(id),
      name: segmentIDs.get(id),
      type: "rule_based",
      rules: conditions.length === constraints.length ? [rule] : [],
    };
  });
  return { configuration: { ...(rules.length > 0 && { segments: rules }), ...imported }, notes };
}

/** None if a part of the strategy cannot be expressed: without it, other users would pass. */
function toRule(strategy: Strategy, segmentIDs: ReadonlyMap<number, string>, report: Report): Flag["rules"] {
  const { featureName, name, title, parameters = {}, constraints = [], segments = [] } = strategy;
  const own = toStrategy(name, parameters);
  if (!own) {
    report(featureName, `has the strategy ${name}, which Gatehouse does not have. The rule was left out.`);
    return [];
  }
  if (parameters.stickiness && !["default", "userId"].includes(parameters.stickiness))
    report(featureName, `keeps users together by ${parameters.stickiness}. Set the unit ID type of the gate.`);
  const read = constraints.map((one) => toCondition(one, featureName, report));
  const named = segments.map((id) => segmentIDs.get(id)).map((id) => id && { type: "passes_segment", targetValue: id });
  const conditions = [...own.conditions, ...read, ...named];
  if (conditions.some((one) => !one)) {
    report(featureName, `has a strategy ${name} that was left out, because a part of it cannot be expressed.`);
    return [];
  }
  return [
    { name: title || name, conditions: conditions as Condition[], shares: [{ name: "on", percentage: own.percentage, value: true }] },
  ];
}

function toStrategy(name: string, parameters: { [name: string]: string }): { conditions: Condition[]; percentage: number } | undefined {
  const list = (text = "") =>
    text
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== "");
  switch (name) {
    case "default":
      return { conditions: [], percentage: 100 };
    case "flexibleRollout":
      return { conditions: [], percentage: Number(parameters.rollout ?? 100) };
    case "gradualRolloutUserId":
    case "gradualRolloutRandom":
    case "gradualRolloutSessionId":
      return { conditions: [], percentage: Number(parameters.percentage ?? 100) };
    case "userWithId":
      return { conditions: [condition("userId", "any_case_sensitive", list(parameters.userIds))], percentage: 100 };
    case "remoteAddress":
      return { conditions: [condition("remoteAddress", "any", list(parameters.IPs))], percentage: 100 };
    default:
      return undefined;
  }
}

function toCondition(
  { contextName, operator, values = [], value, inverted = false, caseInsensitive }: Constraint,
  flag: string,
  report: Report,
): Condition | undefined {
  const environment = contextName === "environment";
  const found = OPERATORS[operator]?.[inverted ? 1 : 0];
  if (operator === "DATE_AFTER" || operator === "DATE_BEFORE") {
    const isAfter = (operator === "DATE_AFTER") !== inverted;
    const time = Date.parse(value ?? "");
    if (contextName === "currentTime" && !Number.isNaN(time))
      return { type: "time", operator: isAfter ? "after" : "before", targetValue: time };
  }
  if (found === undefined) {
    report(flag, `has a constraint on ${contextName} with ${inverted ? "not " : ""}${operator}, which cannot be expressed.`);
    return undefined;
  }
  const isNumber = operator.startsWith("NUM_");
  const target = isNumber ? Number(value) : operator.startsWith("SEMVER_") ? value : values;
  if (environment) return { type: "environment_tier", operator: found.replace("_case_sensitive", ""), targetValue: target };
  return condition(contextName, caseInsensitive ? found.replace("_case_sensitive", "") : found, target);
}
