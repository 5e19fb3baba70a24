import { MEMBERSHIP, OPERATORS, OPERATORS_OF, type ValueInput } from "./operators.ts";
import type { Condition, ConditionType, Operator } from "./types.ts";

type ConditionGroup = "Everyone" | "User" | "App and device" | "Place and time" | "Segments and other flags";

/** The input of a type beside operator and value: the name of a custom field, a unit ID type or the id of an experiment. */
type ConditionExtra = { kind: "field" | "unit" | "experiment"; label: string; property: "field" | "customID" };

export type ConditionTypeEntry = {
  label: string;
  group: ConditionGroup;
  /** The operators that make sense, in the order of menus. The server also takes others. Empty for a type without operator. */
  operators: readonly Operator[];
  /** The value of a type without operator. For other types, the contents of lists of whole values. */
  input: ValueInput;
  extra: ConditionExtra | null;
  /** Whether rules of segments can have it. */
  inSegments: boolean;
  /** The reason why applications don't evaluate it: such a condition never matches, and is not offered. */
  matchesNobody?: string;
};

const FIELD: ConditionExtra = { kind: "field", label: "Field name", property: "field" };
const UNIT: ConditionExtra = { kind: "unit", label: "Unit ID type", property: "customID" };
const EXPERIMENT: ConditionExtra = { kind: "experiment", label: "Experiment", property: "field" };
const BROWSER_ONLY = "SDKs don’t evaluate JavaScript, so no user matches.";

type Given = Pick<ConditionTypeEntry, "label" | "group"> & Partial<ConditionTypeEntry>;

function of(values: keyof typeof OPERATORS_OF, given: Given): ConditionTypeEntry {
  return { operators: OPERATORS_OF[values], input: values === "nothing" ? "none" : "list", extra: null, inSegments: false, ...given };
}

const USER = { group: "User" } as const;
const DEVICE = { group: "App and device" } as const;
const PLACE = { group: "Place and time" } as const;
const FLAGS = { group: "Segments and other flags" } as const;
const ALSO_IN_SEGMENTS = { inSegments: true } as const;

/** Every condition type of the contract, in the order of menus. */
export const CONDITION_TYPES: Readonly<Record<ConditionType, ConditionTypeEntry>> = {
  public: of("nothing", { label: "Everyone", group: "Everyone" }),
  user_id: of("text", { label: "User ID", ...USER, ...ALSO_IN_SEGMENTS }),
  email: of("text", { label: "Email", ...USER, ...ALSO_IN_SEGMENTS }),
  custom_field: of("everything", { label: "Custom field", ...USER, ...ALSO_IN_SEGMENTS, extra: FIELD }),
  unit_id: of("text", { label: "Unit ID", ...USER, ...ALSO_IN_SEGMENTS, extra: UNIT }),
  app_version: of("version", { label: "App version", ...DEVICE, ...ALSO_IN_SEGMENTS }),
  target_app: of("app", { label: "Target app", ...DEVICE, input: "target-apps" }),
  os_name: of("name", { label: "Operating system", ...DEVICE, ...ALSO_IN_SEGMENTS }),
  os_version: of("version", { label: "Operating system version", ...DEVICE, ...ALSO_IN_SEGMENTS }),
  browser_name: of("name", { label: "Browser", ...DEVICE, ...ALSO_IN_SEGMENTS }),
  browser_version: of("version", { label: "Browser version", ...DEVICE, ...ALSO_IN_SEGMENTS }),
  device_model: of("text", { label: "Device model", ...DEVICE }),
  user_agent: of("text", { label: "User agent", ...DEVICE }),
  url: of("text", { label: "URL", ...DEVICE, matchesNobody: BROWSER_ONLY }),
  javascript: of("text", { label: "JavaScript value", ...DEVICE, matchesNobody: BROWSER_ONLY }),
  country: of("code", { label: "Country", ...PLACE, ...ALSO_IN_SEGMENTS, input: "countries" }),
  locale: of("name", { label: "Locale", ...PLACE }),
  ip_address: of("name", { label: "IP address", ...PLACE, ...ALSO_IN_SEGMENTS }),
  environment_tier: of("tier", { label: "Environment", ...PLACE, ...ALSO_IN_SEGMENTS, input: "environments" }),
  time: of("time", { label: "Time", ...PLACE }),
  passes_segment: of("nothing", { label: "In segment", ...FLAGS, ...ALSO_IN_SEGMENTS, input: "segment" }),
  fails_segment: of("nothing", { label: "Not in segment", ...FLAGS, ...ALSO_IN_SEGMENTS, input: "segment" }),
  passes_gate: of("nothing", { label: "Passes gate", ...FLAGS, input: "gate" }),
  fails_gate: of("nothing", { label: "Fails gate", ...FLAGS, input: "gate" }),
  experiment_group: of("group", { label: "Experiment group", ...FLAGS, input: "experiment-groups", extra: EXPERIMENT }),
} satisfies Record<ConditionType, ConditionTypeEntry>;

export type TypeGroup = { group: ConditionGroup; types: readonly ConditionType[] };

/** The condition types to choose from, by group. @param place the owner of the rules */
export function offeredTypes(place: "flag" | "segment"): TypeGroup[] {
  const groups = new Map<ConditionGroup, ConditionType[]>();
  for (const [type, { group, inSegments, matchesNobody }] of Object.entries(CONDITION_TYPES) as [ConditionType, ConditionTypeEntry][]) {
    if (matchesNobody !== undefined || (place === "segment" && !inSegments)) continue;
    groups.set(group, [...(groups.get(group) ?? []), type]);
  }
  return [...groups].map(([group, types]) => ({ group, types }));
}

/** The operators to choose from: those that make sense for the type, and the condition's own if it has another one. */
export function offeredOperators(condition: Pick<Condition, "type" | "operator">): readonly Operator[] {
  const { operators } = CONDITION_TYPES[condition.type];
  const own = effectiveOperator(condition);
  return own === undefined || operators.includes(own) ? operators : [...operators, own];
}

/** The operator that counts. Undefined for a type that takes none, and if it is missing. */
export function effectiveOperator({ type, operator }: Pick<Condition, "type" | "operator">): Operator | undefined {
  return operator || (type === "environment_tier" ? "any" : undefined);
}

/** The words for an operator. They tell a version from a number where a type can be either. */
export function operatorLabel(type: ConditionType, operator: Operator): string {
  const { label, kind } = OPERATORS[operator];
  return kind === "version" && !CONDITION_TYPES[type].label.endsWith("version") ? `${label} (version)` : label;
}

/** The input for the value of a condition with this type and operator. */
export function inputFor(type: ConditionType, operator: Operator | undefined): ValueInput {
  const { operators, input } = CONDITION_TYPES[type];
  if (operators.length === 0) return input;
  if (operator === undefined) return "none";
  return (MEMBERSHIP as readonly Operator[]).includes(operator) ? input : OPERATORS[operator].input;
}

/** The input for the value of a condition. */
export function conditionInput(condition: Pick<Condition, "type" | "operator">): ValueInput {
  return inputFor(condition.type, effectiveOperator(condition));
}
