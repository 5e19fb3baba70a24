import type { RulesetV1, Spec } from "@gatehouse/evaluation";

const lasting = new WeakMap<Spec, boolean>();

/** Whether the answers of a ruleset stay the same as long as the ruleset does: those that look at the time do not. */
export function isLasting({ feature_gates, dynamic_configs, layer_configs }: RulesetV1): boolean {
  return [feature_gates, dynamic_configs, layer_configs].every((specs) => specs.every(isLastingSpec));
}

function isLastingSpec(spec: Spec): boolean {
  const known = lasting.get(spec);
  if (known !== undefined) return known;
  const isLasting = !spec.rules.some(({ conditions }) => conditions.some(({ type }) => type === "current_time"));
  lasting.set(spec, isLasting);
  return isLasting;
}
