import type { WritableSchema } from "@gatehouse/contract/console";
import { type Call, call } from "./calls.ts";
import type { Random } from "./random.ts";
import type { Named } from "./random-conditions.ts";
import { randomTargetApps, UNITS } from "./random-gates.ts";
import { randomPipeline } from "./random-releases.ts";
import { randomRules } from "./random-rules.ts";
import { TIERS } from "./vocabulary.ts";

export function randomValue(random: Random): Record<string, unknown> {
  return {
    color: random.pick(["red", "grün", ""]),
    ...(random.chance(0.7) && { size: random.pick([0, 1.5, -2, 1e9]) }),
    ...(random.chance(0.5) && { on: random.chance(0.5) }),
    ...(random.chance(0.3) && { nested: { list: [1, "two", { three: 3 }], empty: {} } }),
  };
}

export function randomConfig(random: Random, named: Named, id: string): Call[] {
  const variant = (owner: string) => (name: string, passPercentage: number) => ({
    id: `${owner}_${name}`,
    name,
    passPercentage,
    returnValue: randomValue(random),
  });
  const valued = (rule: string): Partial<WritableSchema<"Rule">> => {
    if (random.chance(0.7)) return { returnValue: randomValue(random) };
    const make = variant(rule);
    return { variants: [make("one", 33.33), make("two", 33.34), make("three", 33.33)] };
  };
  const calls = [
    call("createDynamicConfig", {
      body: {
        id,
        name: id,
        idType: random.pick(UNITS),
        isEnabled: !random.chance(0.1),
        ...(random.chance(0.2) && { disabledEnvironments: random.some(TIERS) }),
        defaultValue: randomValue(random),
        rules: randomRules(random, named, id, valued),
        ...randomTargetApps(random),
      },
    }),
  ];
  if (named.hasReleases && random.chance(0.3)) {
    const releasePipelineID = `pipeline_${id}`;
    calls.push(randomPipeline(random, named, releasePipelineID));
    calls.push(call("patchDynamicConfig", { path: { id }, body: { releasePipelineID } }));
    const content = { defaultValue: randomValue(random), rules: randomRules(random, named, id, valued) };
    calls.push(call("patchDynamicConfig", { path: { id }, body: content }));
  }
  if (random.chance(0.1)) calls.push(call("disableDynamicConfig", { path: { id } }));
  return calls;
}
