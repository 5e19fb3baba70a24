import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { createEvaluator, hashName, type InitializeResponse, type User } from "../../src/index.ts";
import { EVERY_FEATURE, EVERY_FEATURE_V2, ID_LISTS } from "../rulesets/every-feature.ts";
import { type About, EVERYTHING, EXCEPTIONS, type Generation } from "../rulesets/exceptions.ts";
import { USERS } from "../rulesets/users.ts";
import { type Asked, type Sdks, startSdks, toAsked } from "../support/sdks.ts";

// The whole answer for a client SDK, as server SDKs of both generations make it for 500 users: half of them with each way to hash names.

type Hash = "djb2" | "sha256";
type Spec = Record<string, unknown>;
type Response = InitializeResponse & Record<(typeof MAPS)[number], Record<string, Spec>>;

const GENERATIONS: Generation[] = ["older", "newer"];
const MAPS = ["feature_gates", "dynamic_configs", "layer_configs"] as const;

/** The fields of specs that say each thing. */
const FIELDS: Record<About, string[]> = {
  value: ["value"],
  ruleID: ["rule_id", "group"],
  groupName: ["group_name"],
  secondaryExposures: ["secondary_exposures", "undelegated_secondary_exposures"],
  allocatedExperiment: ["allocated_experiment_name"],
  reason: [],
};

/** By generation and name, the fields that say something else; `*` for all. */
const excepted = new Set(
  EXCEPTIONS.flatMap(({ generation, names, about }) => {
    const fields = about === EVERYTHING ? ["*"] : about.flatMap((one) => FIELDS[one]);
    return names.flatMap((name) => fields.map((field) => `${generation} ${name} ${field}`));
  }),
);
// Newer SDKs leave out the value of unsupported specs, which is empty in ours.
for (const name of ["unsupported config", "page of an unsupported config"]) excepted.add(`newer ${name} value`);
// In the response, newer SDKs know no conditions on a user's group either.
excepted.add("newer of a group *");

type Compared = { user: User; hash: Hash; ours: Response; theirs: Record<Generation, Response> };
let compared: Compared[];

beforeAll(async () => {
  const sdks = await startSdks({ v1: EVERY_FEATURE, v2: EVERY_FEATURE_V2, idLists: ID_LISTS });
  const own = createEvaluator(EVERY_FEATURE, { idLists: ID_LISTS, now: Date.now });
  compared = USERS.map((user, index) => {
    const hash = index % 2 === 0 ? "djb2" : "sha256";
    return { user, hash, ours: own.initialize(user, { hash }) as Response, theirs: responses(sdks, toAsked(user), hash) };
  });
  await sdks.stop();
});

function responses({ older, newer }: Sdks, asked: Asked, hash: Hash): Record<Generation, Response> {
  return {
    older: older.getClientInitializeResponse(asked.older, undefined, { hash }) as unknown as Response,
    newer: JSON.parse(newer.getClientInitializeResponse(asked.newer, { hashAlgorithm: hash })),
  };
}

const namesIn = (specs: { name?: string; entity: string }[]) =>
  specs.filter(({ entity }) => entity !== "segment" && entity !== "holdout").map(({ name = "" }) => name);

const NAMES = {
  feature_gates: namesIn(EVERY_FEATURE.feature_gates),
  dynamic_configs: namesIn(EVERY_FEATURE.dynamic_configs),
  layer_configs: namesIn(EVERY_FEATURE.layer_configs),
};

/** Clients in JavaScript look a name up by the djb2 of its UTF-16, which older SDKs and we make. Newer SDKs make that of its characters. */
function djb2OfCharacters(name: string): string {
  return String(Array.from(name).reduce((value, character) => (Math.imul(value, 31) + (character.codePointAt(0) ?? 0)) | 0, 0) >>> 0);
}

const ALL_NAMES = Object.values(NAMES).flat();
const hashed = (by: (name: string) => string) => new Map(ALL_NAMES.map((name) => [name, by(name)]));
const OWN_KEYS = { djb2: hashed((name) => hashName(name, "djb2")), sha256: hashed((name) => hashName(name, "sha256")) };
const KEYS = { older: OWN_KEYS, newer: { ...OWN_KEYS, djb2: hashed(djb2OfCharacters) } };

const sortedKeys = (map: (typeof MAPS)[number], keys: Map<string, string>) => NAMES[map].map((name) => keys.get(name) ?? "").toSorted();

type Pair = { map: (typeof MAPS)[number]; name: string; theirs: Spec; ours: Spec };

/** Each spec as a generation and as we answer it, except specs that are excepted entirely. */
function pairs(generation: Generation, { hash, ours, theirs }: Compared): Pair[] {
  return MAPS.flatMap((map) =>
    NAMES[map]
      .filter((name) => !excepted.has(`${generation} ${name} *`))
      .map((name) => ({
        ...{ map, name },
        theirs: theirs[generation][map][KEYS[generation][hash].get(name) ?? ""] ?? {},
        ours: ours[map][OWN_KEYS[hash].get(name) ?? ""] ?? {},
      })),
  );
}

/** Clients don't read the unit ID type of a layer. */
const isUnread = (map: string, field: string) => map === "layer_configs" && field === "id_type";

describe.each(GENERATIONS)("an initialize response of the %s generation", (generation) => {
  test("has the same gates, configs and layers, by their names as hashed, as ours has", () => {
    for (const { hash, ours, theirs } of compared) {
      for (const map of MAPS) {
        const keys = sortedKeys(map, KEYS[generation][hash]);
        expect(Object.keys(theirs[generation][map]).toSorted()).toEqual(keys);
        expect(
          Object.values(theirs[generation][map])
            .map(({ name }) => name)
            .toSorted(),
        ).toEqual(keys);
        expect(Object.keys(ours[map]).toSorted()).toEqual(sortedKeys(map, OWN_KEYS[hash]));
      }
    }
  });

  test("agrees with ours in every field of every spec, except for known differences", () => {
    const disputes = compared.flatMap((one) =>
      pairs(generation, one).flatMap(({ map, name, theirs, ours }) =>
        Object.keys(theirs)
          .filter((field) => field !== "name" && !isUnread(map, field) && !excepted.has(`${generation} ${name} ${field}`))
          .filter((field) => !isDeepStrictEqual(theirs[field], ours[field]))
          .map((field) => ({ name, field, theirs: theirs[field], ours: ours[field], user: one.user })),
      ),
    );
    expect(disputes).toEqual([]);
  });

  test("has every field that ours has, except additions of the other generation", () => {
    const lacking = compared.flatMap((one) =>
      pairs(generation, one).flatMap(({ map, name, theirs, ours }) =>
        Object.keys(ours)
          .filter((field) => !Object.hasOwn(theirs, field) && !excepted.has(`${generation} ${name} ${field}`))
          .map((field) => `${map}: ${field}`),
      ),
    );
    const added = { older: [], newer: ["dynamic_configs: group", "dynamic_configs: group_name", "layer_configs: group"] };
    expect([...new Set(lacking)].toSorted()).toEqual(added[generation]);
  });

  test("has the same time, hash, evaluated keys and user, whose environment it adds", () => {
    for (const { ours, theirs } of compared) {
      const { time, has_updates, hash_used, evaluated_keys, sdkParams, user } = theirs[generation];
      expect(ours).toMatchObject({ time, has_updates, hash_used, evaluated_keys, sdkParams });
      expect(user).toEqual({ ...(ours.user as User), statsigEnvironment: { tier: "production" } });
    }
  });
});

test("an initialize response of the newer generation has the same parameters in param stores, each with its name in it", () => {
  for (const { ours, theirs } of compared) {
    const named = (stores: Record<string, object>) =>
      Object.fromEntries(
        Object.entries(stores).map(([store, parameters]) => [
          store,
          Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, { name, ...parameter }])),
        ]),
      );
    expect(theirs.newer.param_stores).toEqual(named(ours.param_stores));
  }
});
