import { type Call, call } from "./calls.ts";
import type { Random } from "./random.ts";
import type { Named } from "./random-conditions.ts";
import { type Layer, randomExperiment } from "./random-experiments.ts";
import { randomTargetApps, UNITS } from "./random-gates.ts";
import { TIERS, USER_IDS } from "./vocabulary.ts";

/** A layer with up to two experiments and their overrides. */
export function randomLayer(random: Random, named: Named, id: string): { calls: Call[]; experiments: string[] } {
  const layer: Layer = { id, idType: random.pick(UNITS) };
  const experiments = random.list(random.integer(0, 2), (index) => `${id}_experiment_${index}`);
  const calls = [
    call("createLayer", {
      body: {
        name: id,
        idType: layer.idType,
        parameters: [
          { name: "color", type: "string", defaultValue: "grey" },
          { name: "size", type: "number", defaultValue: 0 },
          { name: "on", type: "boolean", defaultValue: false },
          { name: "list", type: "array", defaultValue: [1, 2] },
        ],
        ...randomTargetApps(random),
      },
    }),
    ...experiments.flatMap((experiment) => randomExperiment(random, named, experiment, layer)),
  ];
  const [experimentName] = experiments;
  if (experimentName !== undefined && random.chance(0.4)) calls.push(randomOverrides(random, named, id, experimentName));
  return { calls, experiments };
}

function randomOverrides(random: Random, { gates, segments }: Named, id: string, experimentName: string): Call {
  const groupName = "Group 0";
  return call("updateLayerOverrides", {
    path: { id },
    body: {
      conditionalOverrides: [
        ...gates.slice(0, random.integer(0, 1)).map((name) => ({ type: "gate" as const, name, experimentName, groupName })),
        ...segments.slice(0, random.integer(0, 1)).map((name) => ({ type: "segment" as const, name, experimentName, groupName })),
      ],
      idOverrides: [
        {
          groupName,
          ids: random.some(USER_IDS),
          idType: random.pick(["userID", null]),
          environment: random.pick([...TIERS, null]),
          experimentName,
        },
      ],
    },
  });
}
