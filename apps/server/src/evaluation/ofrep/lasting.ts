import type { RulesetV1, Spec } from "@gatehouse/evaluation";

const lastingRulesets = new WeakMap<RulesetV1, boolean>();
const lastingSpecs = new WeakMap<Spec, boolean>();

/** Whether the answers of a ruleset stay the same as long as the ruleset does: those that look at the time do not. */
export function isLasting(ruleset: RulesetV1): boolean {
  const known = lastingRulesets.get(ruleset);
  if (known !== undefined) return known;
  const { feature_gates, dynamic_configs, layer_configs } = ruleset;
  const isLasting = [feature_gates, dynamic_configs, layer_configs].every((specs) => specs.every(isLastingSpec));
  lastingRulesets.set(ruleset, isLasting);
  return isLasting;
}

function isLastingSpec(spec: Spec): boolean {
  const known = lastingSpecs.get(spec);
  if (known !== undefined) return known;
  const isLasting = !spec.rules.some(({ conditions }) => conditions.some(({ type }) => type === "current_time"));
  lastingSpecs.set(spec, isLasting);
  return isLasting;
}
