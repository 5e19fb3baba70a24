import { listed } from "../ui/list-text.ts";
import type { Flag } from "./entity-changes.ts";
import { equal } from "./equal.ts";
import { type OverrideRow, toOverrideRows } from "./override-draft.ts";
import { listSteps } from "./rollouts.ts";
import { activeRulesIn } from "./rule-environments.ts";
import type { OverrideLists, Rule } from "./types.ts";

/** A gate or dynamic config in one state, with the overrides of a gate. Null if it does not exist. */
export type FlagState = { flag: Flag; overrides?: OverrideLists } | null;

/**
 * The environments whose users may get something else, ordered as in `all`. Names, descriptions and tags do not count; scheduled rollouts do. A rule
 * counts in every environment that it is meant for, even if its conditions never match there. So the list is complete.
 */
export function environmentsTouched(before: FlagState, after: FlagState, all: readonly string[]): string[] {
  return all.filter((environment) => !equal(effectIn(before, environment), effectIn(after, environment)));
}

export const NO_ENVIRONMENT = "no environment";

/** Environments in words: “all environments”, “staging and production”, “no environment”. */
export function environmentsInWords(touched: readonly string[], all: readonly string[]): string {
  if (touched.length === 0) return NO_ENVIRONMENT;
  if (all.length > 1 && touched.length === all.length) return `all environments (${listed(touched)})`;
  return listed(touched);
}

/** All that decides users' values in an environment. Equal effects give every user the same. */
function effectIn(state: FlagState, environment: string): unknown {
  if (state === null) return { exists: false };
  const { flag, overrides } = state;
  const { status, isEnabled, disabledEnvironments = [], defaultValue = null, idType = "userID", targetApps = [], holdoutIDs = [] } = flag;
  const scope = { defaultValue, targetApps: targetApps.toSorted() };
  const isOff = isEnabled === false || status === "Disabled" || status === "Archived" || disabledEnvironments.includes(environment);
  if (isOff) return { ...scope, rules: [], overrides: [] };
  const held = { ...scope, holdoutIDs: holdoutIDs.toSorted() };
  if (status === "Launched") return { ...held, idType, everyonePasses: true };
  const rows = overrides
    ? toOverrideRows(overrides, idType).filter((row) => row.environment === null || isSame(row.environment, environment))
    : [];
  const rules = activeRulesIn(flag.rules, environment).map(ruleEffect);
  return rules.length + rows.length === 0 ? { ...scope, rules: [], overrides: [] } : { ...held, idType, rules, overrides: inOrder(rows) };
}

/** The rule's effect on users. Another base id divides units differently. */
function ruleEffect({ id, baseID, passPercentage, conditions, returnValue, variants, ...rule }: Rule): unknown {
  return { base: baseID ?? id ?? null, passPercentage, conditions: conditions.map(filled), returnValue, variants, steps: listSteps(rule) };
}

/** The fields that have a value. Null and an empty text count as omitted. */
function filled(condition: object): object {
  return Object.fromEntries(Object.entries(condition).filter(([, one]) => one !== null && one !== ""));
}

function inOrder(rows: readonly OverrideRow[]): string[] {
  return rows.map(({ environment, unit, id, side }) => JSON.stringify([environment, unit, id, side])).toSorted();
}

function isSame(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
