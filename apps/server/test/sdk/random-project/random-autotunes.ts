import { type Call, call } from "./calls.ts";
import type { Random } from "./random.ts";
import { randomValue } from "./random-configs.ts";
import { randomTargetApps, UNITS } from "./random-gates.ts";

export function randomAutotune(random: Random, id: string): Call[] {
  const variants = random.list(random.integer(2, 4), (index) => ({
    id: `${id}_${index}`,
    name: `Variant ${index}`,
    json: randomValue(random),
  }));
  const calls = [
    call("createAutotune", {
      body: {
        name: id,
        idType: random.pick(UNITS),
        variants,
        successEvent: "purchase",
        explorationWindow: "24hr",
        attributionWindow: "1hr",
        winnerThreshold: "95%",
        ...randomTargetApps(random),
      },
    }),
  ];
  if (random.chance(0.2)) return calls;
  calls.push(call("startAutotune", { path: { id } }));
  const decision = { id: random.pick(variants).id, decisionReason: "" };
  return random.chance(0.7) ? calls : [...calls, call("makeAutotuneDecision", { path: { id }, body: decision })];
}
