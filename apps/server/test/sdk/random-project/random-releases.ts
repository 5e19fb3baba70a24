import { type Call, call } from "./calls.ts";
import type { Random } from "./random.ts";
import type { Named } from "./random-conditions.ts";
import { randomRules } from "./random-rules.ts";

const HOUR_MS = 3_600_000;

/** A release pipeline of the given name, whose first phase lasts, and which everyone follows. */
export function randomPipeline(random: Random, named: Named, name: string): Call {
  const rules = randomRules(random, named, name).map(({ id, name, conditions, environments }) => ({ id, name, conditions, environments }));
  const phase = { name: "first", timeIntervalMs: HOUR_MS, requiredReview: random.chance(0.2), rules };
  return call("createReleasePipeline", { body: { name, phases: [phase] } as never });
}
