import type { Schema } from "@gatehouse/contract/console";
import type { Rule, Spec } from "@gatehouse/evaluation";
import { belowBucket } from "./conditions.ts";
import { type ConsoleRule, toRules } from "./console-rules.ts";
import { switchedOff } from "./environments.ts";
import { releasedConfig } from "./release-rules.ts";
import type { RulesetScope } from "./ruleset-scope.ts";
import { toBounds } from "./shares.ts";

export function dynamicConfigSpec(config: Schema<"DynamicConfig">, reach: RulesetScope): Spec {
  const { id, isEnabled, idType, version } = config;
  const off = switchedOff(config.disabledEnvironments, reach, idType);
  const enabled = isEnabled && !off.isOff;
  const { rules, defaultValue } = releasedConfig(config, reach, (given) => given.flatMap((one) => configRules(one, reach, config)));
  return {
    name: id,
    type: "dynamic_config",
    salt: id,
    enabled,
    defaultValue,
    idType,
    entity: "dynamic_config",
    rules: enabled ? [...off.rules, ...rules] : [],
    version,
  };
}

/**
 * A rule with variants becomes one rule for each variant, with the variant's id. The rule's percentage decides whether a unit passes; a
 * second bucket, in steps of 0.1%, decides which variant it gets.
 */
function configRules(given: ConsoleRule, reach: RulesetScope, { id: configID, idType }: Schema<"DynamicConfig">): Rule[] {
  const rules = toRules([given], reach, idType, ({ name, returnValue }) => ({ groupName: name, returnValue: returnValue ?? {} }));
  const variants = "variants" in given ? (given.variants ?? []) : [];
  if (variants.length === 0) return rules;
  const bounds = toBounds(variants.map(({ passPercentage }) => passPercentage));
  return rules.flatMap((one) =>
    variants.map(({ id, name, returnValue }, index) => ({
      ...one,
      id: id ?? name,
      name,
      groupName: name,
      conditions: [...one.conditions, belowBucket(bounds[index] as number, `${configID}.${one.salt}.variants`, idType)],
      returnValue: returnValue ?? one.returnValue,
    })),
  );
}
