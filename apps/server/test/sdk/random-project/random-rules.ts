import type { WritableSchema } from "@gatehouse/contract/console";
import type { Random } from "./random.ts";
import { type Condition, type Named, randomCondition } from "./random-conditions.ts";
import { TIERS } from "./vocabulary.ts";

type Rule = WritableSchema<"Rule">;

/** A pass percentage: mostly 0 or 100, otherwise any in steps of 0.01. */
function randomPercentage(random: Random): number {
  return random.chance(0.4) ? random.pick([0, 100]) : random.integer(0, 10_000) / 100;
}

/** Rules with ids derived from their places, so that a seed always assigns units in the same way. */
export function randomRules(
  random: Random,
  named: Named,
  owner: string,
  more: (id: string) => Partial<Rule> = () => ({}),
  condition: (random: Random, named: Named) => Condition = randomCondition,
): Rule[] {
  return random.list(random.integer(0, 3), (index) => {
    const id = `${owner}_rule_${index}`;
    return {
      id,
      name: id,
      ...(random.chance(0.15) && { isEnabled: false }),
      passPercentage: randomPercentage(random),
      conditions: random.list(random.integer(1, 2), () => condition(random, named)),
      ...(random.chance(0.3) && { environments: random.chance(0.2) ? [] : random.some(TIERS) }),
      ...more(id),
    };
  });
}
