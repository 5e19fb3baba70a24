import type { Schema } from "@gatehouse/contract/console";
import type { Rule, Spec } from "@gatehouse/evaluation";
import { type AutotuneWeights, computeShares } from "../../console/autotunes/autotune-shares.ts";
import { belowBucket, everyone } from "./conditions.ts";
import { rule } from "./specs.ts";

type Autotune = Schema<"Autotune">;

/**
 * Compiles an autotune. Not started, it is one rule for everyone; then a rule for each variant, with the variant's id. Their bounds add up the
 * shares of traffic, so the first rule whose bound is above a unit's bucket decides.
 */
export function autotuneSpec(autotune: Autotune, weights: AutotuneWeights | undefined): Spec {
  const { id, salt, idType, version } = autotune;
  const defaultValue = autotune.variants[0]?.json ?? {};
  const prestart = rule({ id: "prestart", idType, conditions: [everyone(idType)], returnValue: defaultValue });
  return {
    name: id,
    type: "dynamic_config",
    salt,
    enabled: true,
    defaultValue,
    idType,
    entity: "autotune",
    rules: autotune.isStarted ? variantRules(autotune, weights) : [prestart],
    version,
  };
}

function variantRules(autotune: Autotune, weights: AutotuneWeights | undefined): Rule[] {
  const { variants, salt, idType } = autotune;
  let bound = 0;
  return computeShares(autotune, weights).map(({ buckets }, index) => {
    const { id, name, json } = variants[index] as Autotune["variants"][number];
    bound += buckets;
    return rule({ id, groupName: name, idType, conditions: [belowBucket(bound, salt, idType)], returnValue: json });
  });
}
