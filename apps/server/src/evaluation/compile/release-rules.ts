import type { Schema } from "@gatehouse/contract/console";
import type { Rule, Spec } from "@gatehouse/evaluation";
import { isRuleEnabled } from "../../console/common/rule.ts";
import { everyone, passesGate } from "./conditions.ts";
import { toCondition } from "./console-conditions.ts";
import type { ConsoleRule } from "./console-rules.ts";
import { withinEnvironments } from "./environments.ts";
import { releaseName, releaseShareName } from "./names.ts";
import type { RulesetScope } from "./ruleset-scope.ts";
import { gateSpec, rule, segmentGate } from "./specs.ts";

type Gate = Schema<"Gate">;
type DynamicConfig = Schema<"DynamicConfig">;
type ActiveRelease = NonNullable<Gate["activeRelease"]>;
type WithRelease = { rules: ConsoleRule[]; activeRelease?: ActiveRelease };

/** Who gets a change that is being released: nobody, everyone, or the users who pass a gate. */
type Reach = "nobody" | "everyone" | (Spec & { name: string });

/** The outcome of users who get the change, if no rule of it matches them. It has the id that SDKs report for the default. */
const DEFAULT_RULE = "default";
/** Rules that the change replaces have other ids, so that results of a rule compare only units of one version of it. */
const REPLACED = ":before_release";

/** The rules of an entity with those that a release adds: the rules of its phases, and those before the change. */
export function evaluatedRules({ rules, activeRelease }: WithRelease): Pick<ConsoleRule, "conditions">[] {
  return activeRelease ? [...rules, ...activeRelease.rules, ...activeRelease.before.rules] : rules;
}

/** The rules of a gate: of the change for users who get it, and otherwise those before. */
export function releasedGateRules(gate: Gate, reach: RulesetScope, compile: (rules: readonly ConsoleRule[]) => Rule[]): Rule[] {
  const { activeRelease: active, idType, rules } = gate;
  if (!active) return compile(rules);
  const reached = reachOf(active, releaseName("gate", gate.id), idType, reach);
  if (reached === "everyone") return compile(rules);
  const before = replaced(compile(active.before.rules), compile(rules));
  if (reached === "nobody") return before;
  const passes = passesGate(reached.name, idType);
  // A rule of percentage 0 fails every user. It returns true since SDKs disagree on rules that return false.
  const none = rule({ id: DEFAULT_RULE, idType, conditions: [passes], passPercentage: 0, returnValue: true });
  return [...compile(rules).map((one) => within(one, passes)), none, ...before];
}

/** The rules and the default value of a dynamic config: of the change for users who get it, and otherwise those before. */
export function releasedConfig(
  config: DynamicConfig,
  reach: RulesetScope,
  compile: (rules: readonly ConsoleRule[]) => Rule[],
): Pick<Spec, "rules" | "defaultValue"> {
  const { activeRelease: active, idType, rules, defaultValue } = config;
  if (!active) return { rules: compile(rules), defaultValue };
  const reached = reachOf(active, releaseName("dynamic_config", config.id), idType, reach);
  if (reached === "everyone") return { rules: compile(rules), defaultValue };
  const before = replaced(compile(active.before.rules), compile(rules));
  const valueBefore = active.before.defaultValue ?? {};
  if (reached === "nobody") return { rules: before, defaultValue: valueBefore };
  const passes = passesGate(reached.name, idType);
  const next = compile(rules).flatMap((one) => withDefault(within(one, passes), config));
  const otherwise = rule({ id: DEFAULT_RULE, idType, conditions: [passes], returnValue: defaultValue });
  return { rules: [...next, otherwise, ...before], defaultValue: valueBefore };
}

/** The gates that conditions of a released entity evaluate, by name. */
export function releaseGates(entity: Gate | DynamicConfig, reach: RulesetScope): ReadonlyMap<string, Spec> {
  const { activeRelease: active, id, idType } = entity;
  const isConfig = "defaultValue" in entity;
  const reached = active && reachOf(active, releaseName(isConfig ? "dynamic_config" : "gate", id), idType, reach);
  if (reached === undefined || typeof reached === "string") return new Map();
  const shares = isConfig && !keepsDefault(entity) ? shareGates(entity) : [];
  return new Map([[reached.name, reached], ...shares]);
}

function reachOf({ rules }: ActiveRelease, name: string, idType: string, reach: RulesetScope): Reach {
  const compiled = rules.flatMap((given) => {
    const environment = withinEnvironments(given.environments, reach, idType);
    if (!environment) return [];
    const id = given.id || given.name;
    const conditions = [...environment, ...given.conditions.map((one) => toCondition(one, reach, idType))];
    return [rule({ id, name: given.name, idType, conditions, returnValue: true })];
  });
  if (compiled.length === 0) return "nobody";
  if (compiled.some(({ conditions }) => conditions.every(({ type }) => type === "public"))) return "everyone";
  return { ...segmentGate(name, idType, compiled), name };
}

function within(given: Rule, passes: Rule["conditions"][number]): Rule {
  return { ...given, conditions: [passes, ...given.conditions] };
}

function replaced(rules: readonly Rule[], changed: readonly Rule[]): Rule[] {
  const same = new Set(changed.map((one) => JSON.stringify(one)));
  return rules.map((one) => (same.has(JSON.stringify(one)) ? one : { ...one, id: `${one.id}${REPLACED}` }));
}

/**
 * A rule that fails some units gives them the default value of the spec, which is the one before the change. So a gate decides who passes,
 * by the same bucket, and a further rule gives the others the changed default value.
 */
function withDefault(given: Rule, config: DynamicConfig): Rule[] {
  if (given.passPercentage === 100 || keepsDefault(config)) return [given];
  const share = passesGate(releaseShareName(config.id, given.salt ?? given.id), given.idType);
  const passing = { ...given, passPercentage: 100, conditions: [...given.conditions, share] };
  return [passing, { ...given, passPercentage: 100, groupName: null, returnValue: config.defaultValue }];
}

function shareGates({ id, rules, idType }: DynamicConfig): [string, Spec][] {
  return rules
    .filter((one) => isRuleEnabled(one) && one.passPercentage < 100)
    .map(({ passPercentage, baseID, ...given }) => {
      const salt = baseID ?? (given.id || given.name);
      const name = releaseShareName(id, salt);
      const share = rule({ id: "share", salt, idType, passPercentage, conditions: [everyone(idType)], returnValue: true });
      return [name, gateSpec("segment", { id, enabled: true, idType, rules: [share], version: 1 }, name)];
    });
}

function keepsDefault({ defaultValue, activeRelease }: DynamicConfig): boolean {
  return JSON.stringify(defaultValue) === JSON.stringify(activeRelease?.before.defaultValue ?? {});
}
