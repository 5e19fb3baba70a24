import type { Entity } from "../files/documents.ts";
import {
  type Condition,
  condition,
  EVERYONE,
  type Flag,
  type FlagRule,
  type Imported,
  type Note,
  type Report,
  toConfiguration,
  toID,
} from "./flags.ts";

type Value = string | number | boolean | null;
type SegmentRule = {
  type: string;
  conditions?: { property: string | null; operator: string; value: string | null }[];
  rules?: SegmentRule[];
};
type Segment = { id?: number; name: string; rules?: SegmentRule[] };
type FeatureState = {
  enabled?: boolean;
  feature_state_value?: Value;
  feature?: { name: string; type?: string; description?: string | null };
  multivariate_feature_state_values?: { percentage_allocation: number; multivariate_feature_option?: { value: Value } }[];
};
type Environment = {
  feature_states?: FeatureState[];
  project?: { segments?: (Segment & { feature_states?: FeatureState[] })[] };
  identity_overrides?: { identity_features?: { feature?: { name: string } }[] }[];
};

/** Reads an environment document of Flagsmith, which its SDKs download for local evaluation. */
export function importFlagsmith(given: unknown): Imported {
  const { feature_states: states = [], project: { segments = [] } = {}, identity_overrides: identities = [] } = given as Environment;
  const notes: Note[] = [];
  const report: Report = (flag, message) => notes.push({ flag, message });
  const taken = new Set<string>();
  const read = segments.map((segment) => ({ segment, id: toID(segment.name, taken, () => {}), rules: readRules(segment, report) }));
  const flags = states.flatMap((state) => (state.feature ? [toFlag(state, state.feature, read, report)] : []));
  const imported = toConfiguration(flags, report);
  const overridden = identities.flatMap(({ identity_features: features = [] }) => features.flatMap(({ feature }) => feature?.name ?? []));
  for (const name of new Set(overridden)) {
    const count = overridden.filter((one) => one === name).length;
    const which = count === 1 ? ["1 identity, which was", "its ID"] : [`${count} identities, which were`, "their IDs"];
    report(name, `has other values for ${which[0]} left out. Add a rule with ${which[1]}.`);
  }
  const entities = read.flatMap(({ id, rules }): Entity[] => (rules ? [{ id, name: id, type: "rule_based", rules }] : []));
  return { configuration: { ...(entities.length > 0 && { segments: entities }), ...imported }, notes };
}

type ReadSegment = { segment: Segment & { feature_states?: FeatureState[] }; id: string; rules: Entity[] | undefined };

/** A feature has a value beside its state. Without any value, it is a gate. */
function toFlag(
  state: FeatureState,
  { name, description }: NonNullable<FeatureState["feature"]>,
  segments: readonly ReadSegment[],
  report: Report,
): Flag {
  const overriding = segments.flatMap(({ segment, id, rules }) => {
    const own = segment.feature_states?.find(({ feature }) => feature?.name === name);
    if (own && !rules) report(name, `has other values for the segment ${segment.name}, which were left out.`);
    return own && rules ? [{ id, own }] : [];
  });
  const all = [state, ...overriding.map(({ own }) => own)];
  const isBoolean = all.every(
    (one) => (one.feature_state_value ?? null) === null && (one.multivariate_feature_state_values ?? []).length === 0,
  );
  if (!isBoolean && overriding.some(({ own }) => own.enabled !== state.enabled))
    report(name, "is on or off by segment and has a value. The dynamic config has only the value.");
  const rules = overriding.map(
    ({ id, own }): FlagRule => ({
      name: id,
      conditions: [{ type: "passes_segment", targetValue: id }],
      shares: sharesOf(own, isBoolean, report, name),
    }),
  );
  const everyone = { name: "Everyone else", conditions: [EVERYONE], shares: sharesOf(state, isBoolean, report, name) };
  const isOn = isBoolean ? overriding.length > 0 || state.enabled === true : state.enabled === true;
  return {
    ...{ key: name, description: description ?? undefined, isBoolean, isEnabled: isOn },
    defaultValue: isBoolean ? false : (state.feature_state_value ?? null),
    rules: [...rules, everyone],
  };
}

function sharesOf(state: FeatureState, isBoolean: boolean, report: Report, name: string): FlagRule["shares"] {
  if (isBoolean) return [{ name: "state", percentage: 100, value: state.enabled === true }];
  const options = state.multivariate_feature_state_values ?? [];
  if (options.length > 0) report(name, "divides users among values. Gatehouse divides them again, so some users get another value.");
  const shares = options.map(({ percentage_allocation: percentage, multivariate_feature_option: option }, index) => ({
    ...{ name: `Option ${index + 1}`, percentage, value: option?.value ?? null },
  }));
  const left = 100 - shares.reduce((sum, { percentage }) => sum + percentage, 0);
  return left > 0 ? [...shares, { name: "Control", percentage: left, value: state.feature_state_value ?? null }] : shares;
}

const OPERATORS: { [operator: string]: string } = {
  EQUAL: "any_case_sensitive",
  NOT_EQUAL: "none_case_sensitive",
  IN: "any_case_sensitive",
  CONTAINS: "str_contains_any",
  NOT_CONTAINS: "str_contains_none",
  REGEX: "str_matches",
  GREATER_THAN: "gt",
  GREATER_THAN_INCLUSIVE: "gte",
  LESS_THAN: "lt",
  LESS_THAN_INCLUSIVE: "lte",
  IS_SET: "is_not_null",
  IS_NOT_SET: "is_null",
};

/** The rules of a segment. Undefined if a part cannot be expressed: without it, the segment would have other users. */
function readRules({ name, rules = [] }: Segment, report: Report): Entity[] | undefined {
  const [all] = rules;
  const groups = all?.rules ?? [];
  const isFlat =
    rules.length === 1 && all?.type === "ALL" && groups.every(({ type, rules: nested = [] }) => nested.length === 0 && type !== "NONE");
  const choices = groups.filter(({ type, conditions = [] }) => type === "ANY" && conditions.length > 1);
  const required = [
    ...(all?.conditions ?? []),
    ...groups.filter((one) => !choices.includes(one)).flatMap(({ conditions = [] }) => conditions),
  ].map(toCondition);
  const alternatives = (choices[0]?.conditions ?? []).map(toCondition);
  const conditions = [...required, ...alternatives];
  if (!isFlat || choices.length > 1 || conditions.length === 0 || conditions.includes(undefined)) {
    report(name, "is a segment that was left out, because a part of it cannot be expressed.");
    return undefined;
  }
  const lists = alternatives.length > 0 ? alternatives.map((one) => [...required, one]) : [required];
  return lists.map((list, index) => ({ id: `rule_${index + 1}`, name: `Rule ${index + 1}`, passPercentage: 100, conditions: list }));
}

function toCondition({
  property,
  operator,
  value,
}: {
  property: string | null;
  operator: string;
  value: string | null;
}): Condition | undefined {
  const found = OPERATORS[operator];
  if (found === undefined || !property) return undefined;
  if (found.endsWith("_null")) return condition(property, found);
  if (["gt", "gte", "lt", "lte"].includes(found)) {
    const [text = "", isVersion] = String(value).split(":semver");
    return isVersion === undefined ? condition(property, found, Number(text)) : condition(property, `version_${found}`, text);
  }
  if (found === "str_matches") return condition(property, found, value);
  return condition(
    property,
    found,
    operator === "IN"
      ? String(value)
          .split(",")
          .map((one) => one.trim())
      : [String(value)],
  );
}
