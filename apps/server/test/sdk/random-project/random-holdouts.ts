import { type Call, call } from "./calls.ts";
import type { Random } from "./random.ts";
import { randomOverrides, randomTargetApps, UNITS } from "./random-gates.ts";

type Holdable = { gates: string[]; experiments: string[]; layers: string[] };

export function randomHoldout(random: Random, { gates, experiments, layers }: Holdable, id: string): Call[] {
  const targeting = gates.length > 0 && random.chance(0.3) ? random.pick(gates) : null;
  const some = (ids: string[]) => (ids.length > 0 && random.chance(0.7) ? random.some(ids) : []);
  return [
    call("createHoldout", {
      body: {
        name: id,
        idType: random.pick(UNITS),
        passPercentage: random.pick([0, 2.5, 10]),
        isEnabled: !random.chance(0.2),
        isGlobal: random.chance(0.3),
        gateIDs: some(gates.filter((gate) => gate !== targeting)),
        experimentIDs: some(experiments),
        layerIDs: some(layers),
        targetingGateID: targeting,
        ...randomTargetApps(random),
      },
    }),
    call("updateHoldoutOverrides", { path: { id }, body: randomOverrides(random) }),
  ];
}
