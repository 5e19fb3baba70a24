import fc from "fast-check";
import { newCondition, valueShape, withExtra, withOperator, withValue } from "./condition-draft.ts";
import { CONDITION_TYPES, inputFor } from "./condition-types.ts";
import type { ValueInput } from "./operators.ts";
import { toPercentage } from "./rule-draft.ts";
import type { Condition, ConditionType, Rule, TargetValue } from "./types.ts";

/** Random rules for property tests. */
export const ENVIRONMENTS = ["production", "staging", "development"];

const ids = fc.constantFrom("a", "b", "c");

function targetValue(input: ValueInput): fc.Arbitrary<TargetValue> {
  if (valueShape(input) === "list") return fc.uniqueArray(ids, { minLength: 1 });
  if (input === "version") return fc.constantFrom("1", "2.1", "10-beta");
  return ["number", "time", "day"].includes(input) ? fc.integer({ min: 0, max: 9 }) : ids;
}

/** A complete condition of any type with any operator that is offered for it. */
export const anyCondition: fc.Arbitrary<Condition> = fc.constantFrom(...(Object.keys(CONDITION_TYPES) as ConditionType[])).chain((type) => {
  const { operators } = CONDITION_TYPES[type];
  const operator = operators.length === 0 ? fc.constant(undefined) : fc.constantFrom(...operators);
  return operator.chain((chosen) =>
    targetValue(inputFor(type, chosen)).map((value) => {
      const condition = withExtra(newCondition(type), "name");
      return withValue(chosen === undefined ? condition : withOperator(condition, chosen), value);
    }),
  );
});

const anyPercentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => toPercentage(hundredths / 100));

/** Rules with distinct names. Stored rules have distinct ids as well. */
export function anyRules({ stored }: { stored: boolean }): fc.Arbitrary<Rule[]> {
  const rule = fc.record({
    passPercentage: anyPercentage,
    conditions: fc.array(anyCondition, { maxLength: 2 }),
    environments: fc.option(fc.uniqueArray(fc.constantFrom(...ENVIRONMENTS), { minLength: 1 })),
    isEnabled: fc.boolean(),
  });
  return fc
    .array(rule, { maxLength: 8 })
    .map((rules) =>
      rules.map((one, index) => ({ ...one, name: `Rule ${index}`, ...(stored && { id: `r${index}`, baseID: `r${index}` }) })),
    );
}
