import type { User } from "@gatehouse/evaluation";
import { type Call, call } from "./calls.ts";
import { seeded } from "./random.ts";
import { randomAutotune } from "./random-autotunes.ts";
import { randomConfig } from "./random-configs.ts";
import { randomExperiment } from "./random-experiments.ts";
import { randomGate, TARGET_APPS } from "./random-gates.ts";
import { randomHoldout } from "./random-holdouts.ts";
import { randomLayer } from "./random-layers.ts";
import { randomParamStore } from "./random-param-stores.ts";
import { randomSegment } from "./random-segments.ts";
import { randomUser } from "./random-users.ts";
import { TIERS } from "./vocabulary.ts";

/** A small project and its users, derived from a seed. Only the salts of experiments come from the server. */
export type RandomProject = {
  seed: number;
  /** The calls of the console API that create its entities. */
  calls: Call[];
  users: User[];
  /** The environment that the application declares; undefined if it declares none. */
  tier: string | undefined;
  /** The limits of the application's key. An empty list means no limit. */
  key: { environments: string[]; targetApps: string[] };
};

const USERS = 50;
const ARCHIVE = { archiveReason: "random", forceArchive: true };

type Options = {
  /** Whether users and rules have values that the generations of SDKs read differently. */
  isOdd?: boolean;
  /** Whether changes of some gates and configs are being released. */
  hasReleases?: boolean;
};

export function randomProject(seed: number, options: Options = {}): RandomProject {
  const random = seeded(seed);
  const named = {
    segments: [] as string[],
    gates: [] as string[],
    configs: [] as string[],
    experiments: [] as string[],
    layers: [] as string[],
    isOdd: options.isOdd ?? false,
    hasReleases: options.hasReleases ?? false,
  };
  const calls: Call[] = TARGET_APPS.map((name) => call("createTargetApp", { body: { name } }));
  const make = (
    kind: Exclude<keyof typeof named, "isOdd" | "hasReleases">,
    least: number,
    most: number,
    makeOne: (id: string) => Call[],
  ) => {
    for (const id of random.list(random.integer(least, most), (index) => `${kind}_${index}`)) {
      calls.push(...makeOne(id));
      named[kind].push(id);
    }
  };
  make("segments", 0, 2, (id) => randomSegment(random, named, id));
  make("gates", 1, 3, (id) => randomGate(random, named, id));
  make("configs", 0, 2, (id) => randomConfig(random, named, id));
  make("experiments", 0, 2, (id) => randomExperiment(random, named, id));
  make("layers", 0, 1, (id) => {
    const layer = randomLayer(random, named, id);
    named.experiments.push(...layer.experiments);
    return layer.calls;
  });
  if (random.chance(0.3)) calls.push(...randomHoldout(random, named, "holdout"));
  if (random.chance(0.3)) calls.push(...randomParamStore(random, named, "store"));
  if (random.chance(0.3)) calls.push(...randomAutotune(random, "autotune"));
  // A gate in a release cannot be archived.
  const inRelease = new Set(calls.map(({ operation, request }) => operation === "createReleasePipeline" && request.body.name));
  const archivable = named.gates.filter((id) => !inRelease.has(`pipeline_${id}`));
  if (archivable.length > 0 && random.chance(0.1))
    calls.push(call("archiveGate", { path: { id: random.pick(archivable) }, body: ARCHIVE }));
  return {
    seed,
    calls,
    users: random.list(USERS, () => randomUser(random, options)),
    tier: random.chance(0.7) ? random.pick(TIERS) : undefined,
    key: {
      environments: random.chance(0.2) ? random.some(TIERS) : [],
      targetApps: random.chance(0.2) ? random.some(TARGET_APPS) : [],
    },
  };
}
