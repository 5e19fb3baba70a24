import {
  type Condition,
  condition,
  EVERYONE,
  type Flag,
  type FlagRule,
  type Imported,
  isObject,
  type Note,
  type Report,
  type Share,
  toConfiguration,
} from "./flags.ts";

type FlagdFlag = {
  state?: "ENABLED" | "DISABLED";
  variants?: { [name: string]: unknown };
  defaultVariant?: string | null;
  targeting?: unknown;
  metadata?: { [name: string]: unknown };
};
type Logic = { [operator: string]: unknown };

/** Reads a file of flag definitions for flagd. Boolean flags become gates, others dynamic configs. */
export function importFlagd(given: unknown): Imported {
  const { flags = {}, $evaluators = {} } = given as { flags?: { [key: string]: FlagdFlag }; $evaluators?: { [name: string]: unknown } };
  const notes: Note[] = [];
  const report: Report = (flag, message) => notes.push({ flag, message });
  const read = Object.entries(flags).map(([key, flag]): Flag => {
    const { state = "ENABLED", variants = {}, defaultVariant, targeting } = flag;
    const isBoolean = Object.values(variants).every((value) => typeof value === "boolean");
    const defaultValue = defaultVariant ? variants[defaultVariant] : isBoolean ? false : Object.values(variants)[0];
    if (!defaultVariant) report(key, "has no default variant, so applications use their own default. Gatehouse returns the first variant.");
    const logic = withEvaluators(targeting, $evaluators);
    return { key, isEnabled: state === "ENABLED", isBoolean, defaultValue, rules: readTargeting(logic, { key, variants, report }) };
  });
  return { configuration: toConfiguration(read, report), notes };
}

/** Replaces each `$ref` by the shared evaluator that it names. */
function withEvaluators(logic: unknown, evaluators: { [name: string]: unknown }, depth = 0): unknown {
  if (depth > 50) return logic;
  if (Array.isArray(logic)) return logic.map((one) => withEvaluators(one, evaluators, depth + 1));
  if (!isObject(logic)) return logic;
  if (typeof logic.$ref === "string") return withEvaluators(evaluators[logic.$ref], evaluators, depth + 1);
  return Object.fromEntries(Object.entries(logic).map(([name, part]) => [name, withEvaluators(part, evaluators, depth + 1)]));
}

type Given = { key: string; variants: { [name: string]: unknown }; report: Report };

/** The rules of a flag. Stops at the first part that cannot be expressed, because later ones would decide for its users. */
function readTargeting(logic: unknown, given: Given): FlagRule[] {
  const { key, report } = given;
  if (logic === undefined || logic === null || (isObject(logic) && Object.keys(logic).length === 0)) return [];
  const branches = isObject(logic) && Array.isArray(logic.if) ? logic.if : [true, logic];
  const rules: FlagRule[] = [];
  for (let at = 0; at < branches.length; at += 2) {
    const isElse = at === branches.length - 1;
    const conditions = isElse ? [EVERYONE] : readConditions(branches[at]);
    const result: unknown = isElse ? branches[at] : branches[at + 1];
    if (result === null) break;
    const isNested = isObject(result) && "if" in result;
    const shares = isNested ? undefined : readShares(result, given);
    if (isNested && isElse)
      return [...rules, ...readTargeting(result, given).map((rule, index) => ({ ...rule, name: `Rule ${rules.length + index + 1}` }))];
    if (!conditions || !shares) {
      report(key, `has targeting that cannot be expressed from part ${rules.length + 1} on: ${JSON.stringify(branches[at]).slice(0, 200)}`);
      break;
    }
    for (const all of conditions === true ? [[EVERYONE]] : isElse ? [[EVERYONE]] : (conditions as Condition[][]))
      rules.push({ name: `Rule ${rules.length + 1}`, conditions: all, shares });
  }
  return rules;
}

/** Lists of conditions: users match if they meet all conditions of one of them. `true` for everyone, undefined for logic that cannot be expressed. */
function readConditions(logic: unknown): Condition[][] | true | undefined {
  if (logic === true) return true;
  if (!isObject(logic)) return undefined;
  const [[operator, operands] = ["", undefined]] = Object.entries(logic);
  if (operator === "or" && Array.isArray(operands)) {
    const parts = operands.map(readConditions);
    return parts.some((one) => one === undefined || one === true) ? undefined : (parts as Condition[][][]).flat();
  }
  if (operator === "and" && Array.isArray(operands)) {
    const parts = operands.map(readConditions);
    if (parts.some((one) => one === undefined)) return undefined;
    return (parts.filter((one) => one !== true) as Condition[][][]).reduce<Condition[][]>(
      (all, part) => all.flatMap((one) => part.map((other) => [...one, ...other])),
      [[]],
    );
  }
  const one = readComparison(operator, operands);
  return one && [[one]];
}

const COMPARISONS: { [operator: string]: string } = {
  "==": "any_case_sensitive",
  "===": "any_case_sensitive",
  "!=": "none_case_sensitive",
  "!==": "none_case_sensitive",
};
const NUMBERS: { [operator: string]: string } = {
  "==": "eq",
  "===": "eq",
  "!=": "neq",
  "!==": "neq",
  ">": "gt",
  ">=": "gte",
  "<": "lt",
  "<=": "lte",
};
const VERSIONS: { [operator: string]: string } = {
  "=": "version_eq",
  "!=": "version_neq",
  ">": "version_gt",
  ">=": "version_gte",
  "<": "version_lt",
  "<=": "version_lte",
};

function readComparison(operator: string, operands: unknown): Condition | undefined {
  if (!Array.isArray(operands)) return undefined;
  const [first, second, third] = operands as unknown[];
  const attribute = variable(first);
  if (operator === "in") {
    if (attribute !== undefined && Array.isArray(second)) return condition(attribute, "any_case_sensitive", second.map(String));
    const within = variable(second);
    return within !== undefined && typeof first === "string" ? condition(within, "str_contains_any", [first]) : undefined;
  }
  if (attribute === undefined) return undefined;
  if (operator === "starts_with") return condition(attribute, "str_starts_with_any", [second]);
  if (operator === "ends_with") return condition(attribute, "str_ends_with_any", [second]);
  if (operator === "sem_ver") {
    const compared = VERSIONS[String(second)];
    return compared === undefined ? undefined : condition(attribute, compared, third);
  }
  if (typeof second === "number") return NUMBERS[operator] ? condition(attribute, NUMBERS[operator], second) : undefined;
  if (typeof second !== "string" && typeof second !== "boolean") return undefined;
  return COMPARISONS[operator] ? condition(attribute, COMPARISONS[operator], [String(second)]) : undefined;
}

/** The attribute that `{ var: … }` reads. */
function variable(logic: unknown): string | undefined {
  if (!isObject(logic)) return undefined;
  const name = (logic as Logic).var;
  const text = Array.isArray(name) ? name[0] : name;
  return typeof text === "string" && text !== "" && !text.startsWith("$flagd") ? text : undefined;
}

/** The variants that a part of the targeting leads to, with their shares. */
function readShares(result: unknown, { key, variants, report }: Given): Share[] | undefined {
  if (typeof result === "string" || typeof result === "boolean") {
    const name = String(result);
    return Object.hasOwn(variants, name) ? [{ name, percentage: 100, value: variants[name] }] : undefined;
  }
  const buckets = isObject(result) ? result.fractional : undefined;
  if (!Array.isArray(buckets)) return undefined;
  const parts = buckets.filter((one) => Array.isArray(one)) as [string, number?][];
  const total = parts.reduce((sum, [, weight = 1]) => sum + weight, 0);
  if (parts.some(([name]) => !Object.hasOwn(variants, name)) || total <= 0) return undefined;
  report(key, "divides users among variants. Gatehouse divides them again, so some users get another variant.");
  return parts.map(([name, weight = 1]) => ({ name, percentage: (weight / total) * 100, value: variants[name] }));
}
