import type { WritableSchema } from "@gatehouse/contract/console";
import { type Call, call } from "./calls.ts";
import type { Random } from "./random.ts";
import type { Named } from "./random-conditions.ts";
import { randomValue } from "./random-configs.ts";
import { randomTargetApps, UNITS } from "./random-gates.ts";
import { randomRules } from "./random-rules.ts";
import { TIERS, USER_IDS } from "./vocabulary.ts";

/** A layer that experiments of the project are on. */
export type Layer = { id: string; idType: string };

const SIZES = [[50, 50], [33.4, 33.3, 33.3], [10, 90], [0, 100], [100]];

export function randomExperiment(random: Random, named: Named, id: string, layer?: Layer): Call[] {
  const sizes = random.pick(SIZES);
  const groups = sizes.map((size, index) => ({
    id: `${id}_group_${index}`,
    name: `Group ${index}`,
    size,
    parameterValues: layer ? randomParameters(random) : randomValue(random),
  }));
  const first = groups[0]?.id ?? "";
  const isTargeted = named.gates.length > 0 && random.chance(0.3);
  const calls = [
    call("createExperiment", {
      body: {
        id,
        name: id,
        ...(layer ? { layerID: layer.id, idType: layer.idType } : { idType: random.pick(UNITS) }),
        groups,
        allocation: layer ? random.pick([10, 30.5, 50]) : random.pick([0, 45.5, 100, 100]),
        ...(isTargeted && { targetingGateID: random.pick(named.gates) }),
        ...(random.chance(0.3) && { inlineTargetingRules: inlineRules(random, named, id) }),
        ...(random.chance(0.3) && { enabledNonProdEnvironments: [random.pick(TIERS.slice(0, 2))] }),
        ...randomTargetApps(random),
      },
    }),
  ];
  if (random.chance(0.3)) calls.push(call("updateExperimentOverrides", { path: { id }, body: randomOverrides(random, named, first) }));
  return [...calls, ...random.pick(LIVES)(random, id, first)];
}

/** The lifecycle calls after an experiment's creation. */
const LIVES: ((random: Random, id: string, group: string) => Call[])[] = [
  () => [],
  (_, id) => [start(id)],
  (_, id) => [start(id)],
  (_, id) => [start(id)],
  (_, id) => [start(id), call("patchExperiment", { path: { id }, body: { status: "assignment_stopped" } })],
  (_, id) => [start(id), call("patchExperiment", { path: { id }, body: { status: "experiment_stopped" } })],
  (_, id) => [start(id), call("abandonExperiment", { path: { id }, body: {} })],
  (_, id) => [start(id), call("disableExperimentGroups", { path: { id }, body: { group_names: ["Group 0"] } })],
  (random, id, group) => [
    start(id),
    call("makeExperimentDecision", {
      path: { id },
      body: { id: group, decisionReason: "random", removeTargeting: random.chance(0.5) },
    }),
  ],
];

const start = (id: string) => call("startExperiment", { path: { id } });

/** Values for some parameters of the layer. */
function randomParameters(random: Random): Record<string, unknown> {
  return {
    ...(random.chance(0.7) && { color: random.pick(["blue", "green"]) }),
    ...(random.chance(0.7) && { size: random.pick([1, 2.5]) }),
    ...(random.chance(0.3) && { on: true }),
  };
}

function inlineRules(random: Random, named: Named, id: string): WritableSchema<"InlineTargetingRule">[] {
  return randomRules(random, named, id);
}

function randomOverrides(random: Random, named: Named, groupID: string): WritableSchema<"ExperimentOverridesUpdate"> {
  const environment = random.chance(0.3) ? random.pick(TIERS) : null;
  return {
    overrides: [
      ...named.gates.slice(0, random.integer(0, 1)).map((id) => ({ type: "gate" as const, id, groupID, environment })),
      ...named.segments.slice(0, random.integer(0, 1)).map((id) => ({ type: "segment" as const, id, groupID, environment: null })),
    ],
    userIDOverrides: [{ groupID, ids: random.some(USER_IDS), environment, unitType: random.chance(0.3) ? "userID" : null }],
  };
}
