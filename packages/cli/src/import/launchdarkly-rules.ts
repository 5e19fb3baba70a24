import { isDeepStrictEqual } from "node:util";
import { type Condition, condition, EVERYONE, type FlagRule, type Report, type Share } from "./flags.ts";
import { type Clause, exactConditions } from "./launchdarkly-exact.ts";

type Outcome = {
  variation?: number;
  rollout?: { variations?: { variation: number; weight: number }[]; bucketBy?: string; contextKind?: string };
};
type Target = { values: string[]; variation: number; contextKind?: string };
export type Prerequisite = { key: string; variation?: number };
export type Environment = {
  on?: boolean;
  targets?: Target[];
  contextTargets?: Target[];
  rules?: (Outcome & { description?: string; clauses?: Clause[] })[];
  fallthrough?: Outcome;
  offVariation?: number;
  prerequisites?: Prerequisite[];
};

export type Variations = { value: unknown; name?: string }[];

type Given = {
  key: string;
  variations: Variations;
  isBoolean: boolean;
  defaultValue: unknown;
  /** The condition that a prerequisite is. Undefined if it cannot be expressed. */
  toCondition(prerequisite: Prerequisite): Condition | undefined;
  report: Report;
};

/** A rule, or the reason why it cannot be expressed. */
type Part = { name: string; outcome: Outcome } & ({ conditions: Condition[] } | { reason: string });

/**
 * The rules of a flag in an environment. A rule that cannot be expressed is left out. So are all rules after it if they would change the value of its
 * users, unless these users get `true` from it.
 */
export function rulesIn(place: string, environment: Environment, given: Given): FlagRule[] {
  const { key, toCondition, report } = given;
  const { prerequisites = [], fallthrough = {} } = environment;
  const needed: Condition[] = [];
  for (const one of prerequisites) {
    const found = toCondition(one);
    if (found === undefined) {
      report(key, `has no rules in ${place}, because its prerequisite ${one.key} cannot be expressed.`);
      return [];
    }
    needed.push(found);
  }
  const everyone = { name: "Everyone else", conditions: needed.length > 0 ? [] : [EVERYONE], outcome: fallthrough };
  const parts: Part[] = [...targetsOf(environment), ...clausesOf(environment), everyone];
  const rules: FlagRule[] = [];
  for (const [index, part] of parts.entries()) {
    if ("conditions" in part) {
      reportRollout(part.outcome, given);
      rules.push({ name: part.name, conditions: [...needed, ...part.conditions], shares: toShares(part.outcome, given) });
      continue;
    }
    const isHarmless = keepsValues(part, parts.slice(index + 1), given);
    const others = isHarmless ? "" : " The rules after it were left out too, because they would match its users.";
    report(key, `has a rule in ${place} that was left out: ${part.reason}.${others}`);
    if (!isHarmless) break;
  }
  return rules;
}

/** Targets by variation. Of keys that differ only in case, a condition would keep only one. */
function targetsOf({ targets = [], contextTargets = [] }: Environment): Part[] {
  return [...targets, ...contextTargets].flatMap(({ values, variation, contextKind = "user" }): Part[] => {
    const name = `Targets of variation ${variation}`;
    const outcome = { variation };
    if (values.length === 0) return [];
    if (contextKind !== "user") return [{ name, outcome, reason: `targets of the kind ${contextKind} cannot be expressed` }];
    return distinctInCase(values).map((keys) => ({ name, outcome, conditions: [condition("key", "any_case_sensitive", keys)] }));
  });
}

function distinctInCase(values: readonly string[]): string[][] {
  const lists: Map<string, string>[] = [];
  for (const value of new Set(values)) {
    const folded = value.toLowerCase();
    const free = lists.find((list) => !list.has(folded));
    if (value === "") continue;
    if (free) free.set(folded, value);
    else lists.push(new Map([[folded, value]]));
  }
  return lists.map((list) => [...list.values()]);
}

function clausesOf({ rules = [] }: Environment): Part[] {
  return rules.map(({ description, clauses = [], ...outcome }): Part => {
    const name = description || "Rule";
    const conditions: Condition[] = [];
    for (const clause of clauses) {
      const found = exactConditions(clause);
      if (typeof found === "string") return { name, outcome, reason: describe(clause, found) };
      conditions.push(...found);
    }
    return { name, outcome, conditions };
  });
}

function describe({ attribute = "", op, negate = false, contextKind = "user" }: Clause, reason: string): string {
  const kind = contextKind === "user" ? "" : `${contextKind}:`;
  return `"${[`${kind}${attribute}`, negate ? "not" : "", op].filter(Boolean).join(" ")}" ${reason}`;
}

/** Whether users of a rule that is left out get no other value from the rules after it than before, and no `true` that they did not have. */
function keepsValues({ outcome }: Part, after: readonly Part[], given: Given): boolean {
  const only = (one: Outcome, value: unknown) =>
    toShares(one, given).every((share) => share.percentage === 0 || isDeepStrictEqual(share.value, value));
  const [first, ...others] = toShares(outcome, given).filter(({ percentage }) => percentage > 0);
  const value = first && others.length === 0 && first.percentage >= 100 ? first.value : undefined;
  if (given.isBoolean && value === true) return true;
  return (
    after.every((one) => only(one.outcome, given.defaultValue)) || (value !== undefined && after.every((one) => only(one.outcome, value)))
  );
}

function reportRollout({ variation, rollout }: Outcome, { key, report }: Given): void {
  if (variation !== undefined || !rollout) return;
  const { variations = [], bucketBy = "key", contextKind = "user" } = rollout;
  if (variations.length > 0) report(key, "has a percentage rollout. Gatehouse divides users again, so some users get another value.");
  if (bucketBy !== "key") report(key, `divides users by ${bucketBy}. Set the unit ID type.`);
  if (contextKind !== "user") report(key, `divides contexts of the kind ${contextKind}. Set the unit ID type.`);
}

/** Weights are thousandths of a percent. */
function toShares({ variation, rollout }: Outcome, { variations }: Given): Share[] {
  const toShare = (index: number, percentage: number) => ({
    name: variations[index]?.name ?? `Variation ${index}`,
    percentage,
    value: variations[index]?.value,
  });
  if (variation !== undefined) return [toShare(variation, 100)];
  return (rollout?.variations ?? []).map(({ variation: index, weight }) => toShare(index, weight / 1000));
}
