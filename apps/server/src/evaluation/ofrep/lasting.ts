import type { Condition, RulesetV1, Spec } from "@gatehouse/evaluation";

const lasting = new WeakMap<Spec, boolean>();

/**
 * Whether the answers of a ruleset stay the same as long as the ruleset does. Those that look at the time or into id lists, which change
 * without it, do not.
 */
export function isLasting({ feature_gates, dynamic_configs, layer_configs }: RulesetV1): boolean {
  return [feature_gates, dynamic_configs, layer_configs].every((specs) => specs.every(isLastingSpec));
}

function isLastingSpec(spec: Spec): boolean {
  const known = lasting.get(spec);
  if (known !== undefined) return known;
  const isLasting = !spec.rules.some(({ conditions }) => conditions.some(changesByItself));
  lasting.set(spec, isLasting);
  return isLasting;
}

function changesByItself({ type, operator }: Condition): boolean {
  return type === "current_time" || operator === "in_segment_list" || operator === "not_in_segment_list";
}
