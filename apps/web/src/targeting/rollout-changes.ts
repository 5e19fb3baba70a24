// The scheduled rollouts that a change adds or changes. Pure.
import { equal } from "./equal.ts";
import { listSteps } from "./rollouts.ts";
import { matchRules } from "./rule-matching.ts";
import type { EntityChange, Rule } from "./types.ts";

/** A rule whose scheduled rollout a change adds or changes. `before` is undefined if the rule is new. */
export type RolloutChange = { before: Rule | undefined; after: Rule };

type Changed = Pick<EntityChange, "entityType" | "fields">;

/** All rules, one of them, or the schedule of one. */
const SCHEDULE = /^rules(\[\d+\](\.pendingAutomatedRollouts\b.*)?)?$/;
/** What a schedule shows of a rule. */
const SHOWN = /^rules(\[\d+\](\.(id|baseID|name|passPercentage|pendingAutomatedRollouts|completedAutomatedRollouts)\b.*)?)?$/;

/** The types whose rules have scheduled rollouts. */
export type RolloutType = "gate" | "dynamic_config";

/** Whether a change may add or change a scheduled rollout. */
export const mayChangeRollouts = <Change extends Changed>(change: Change): change is Change & { entityType: RolloutType } =>
  (change.entityType === "gate" || change.entityType === "dynamic_config") && change.fields.some(({ field }) => SCHEDULE.test(field));

/** The rules with an added or changed schedule, in their new order. @param rules before the change */
export function rolloutChanges(rules: readonly Rule[], fields: EntityChange["fields"]): RolloutChange[] {
  const { rules: changed = [] } = fields
    .filter(({ field }) => SHOWN.test(field))
    .reduce<unknown>((given, { field, after }) => withValue(given, field.match(/[^.[\]]+/g) ?? [], after), { rules }) as { rules?: Rule[] };
  const partners = new Map(matchRules(rules, changed).matched.map(({ before, to }) => [to, before]));
  return changed.flatMap((after, index) => {
    const before = partners.get(index);
    const steps = listSteps(after);
    return steps.length === 0 || (before && equal(listSteps(before), steps)) ? [] : [{ before, after }];
  });
}

/** A value with another one at a path. Null removes it, as the fields of a change have it. */
function withValue(given: unknown, [step, ...steps]: readonly string[], after: unknown): unknown {
  if (step === undefined) return after ?? undefined;
  if (Array.isArray(given)) return given.map((item, index) => (String(index) === step ? withValue(item, steps, after) : item));
  const fields = given as Readonly<Record<string, unknown>>;
  return { ...fields, [step]: withValue(fields[step], steps, after) };
}
