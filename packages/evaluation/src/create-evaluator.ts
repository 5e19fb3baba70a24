import { CONFIG_NOT_FOUND, GATE_NOT_FOUND, LAYER_NOT_FOUND, toConfig, toGate, toLayer } from "./answers.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import type { Evaluator, NameHash } from "./evaluator.ts";
import { hashName } from "./hash.ts";
import { createIDLists } from "./id-lists.ts";
import { initializeResponse } from "./initialize.ts";
import { evaluateParamStore } from "./parameters.ts";
import type { Ruleset } from "./ruleset.ts";
import { specTables } from "./spec-table.ts";
import type { Surroundings } from "./surroundings.ts";
import type { User } from "./user.ts";

export type EvaluatorOptions = {
  /** The 8-character hashes of each id list, by its name (see `hashID`). A Set is used as it is, and may change while it is in use. */
  idLists?: Record<string, Iterable<string>>;
  /** The present, ms since the epoch, or what tells it. Without it, it is the time at which the ruleset last changed. */
  now?: number | (() => number);
  /** The two letters of the country that an IP address belongs to. */
  ipToCountry?: (ip: string) => string | null;
};

/**
 * Answers for a ruleset, which must not change from now on. Each spec is made ready at its first use, and kept with the spec's object: an
 * evaluator of a ruleset that shares specs with an older one starts from what is ready already. Answers are shared: they are not to be changed.
 */
export function createEvaluator(ruleset: Ruleset, options: EvaluatorOptions = {}): Evaluator {
  const { gates, configs, layers } = specTables(ruleset);
  const paramStores = new Map(Object.entries(ruleset.param_stores ?? {}));
  const surroundings: Surroundings = {
    now: clock(options.now ?? ruleset.time),
    idList: createIDLists(options.idLists ?? {}),
    ipToCountry: options.ipToCountry ?? (() => null),
    defaultTier: ruleset.default_environment ?? null,
    appID: ruleset.app_id ?? null,
  };
  const hashed = nameHashes();
  const forUser = (user: User): Evaluation => ({
    user,
    surroundings,
    gate: gates.get,
    config: configs.get,
    depth: 0,
    broken: false,
    outcomes: null,
  });
  const answers = {
    gate(name: string, user: User) {
      const gate = gates.get(name);
      return gate ? toGate(evaluate(forUser(user), gate)) : GATE_NOT_FOUND;
    },
    config(name: string, user: User) {
      const config = configs.get(name);
      return config ? toConfig(evaluate(forUser(user), config), config) : CONFIG_NOT_FOUND;
    },
    layer(name: string, user: User) {
      const layer = layers.get(name);
      return layer ? toLayer(evaluate(forUser(user), layer), layer) : LAYER_NOT_FOUND;
    },
  };
  return {
    ...answers,
    paramStore(name, user) {
      const store = paramStores.get(name);
      return store ? evaluateParamStore(store, answers, user) : { value: {}, reason: "not_found" };
    },
    initialize(user, { hash }) {
      const evaluation = { ...forUser(user), outcomes: new Map() };
      const specs = { gates: gates.all(), configs: configs.all(), layers: layers.all(), paramStores };
      return initializeResponse({ evaluation, ...specs, time: ruleset.time, hash, hashed: (name) => hashed(name, hash) });
    },
  };
}

function clock(now: number | (() => number)): Surroundings["now"] {
  return typeof now === "function" ? now : () => now;
}

/** Names hashed once. All are a ruleset's: there is an end of them. */
function nameHashes(): (name: string, hash: NameHash) => string {
  const known = { djb2: new Map<string, string>(), sha256: new Map<string, string>() };
  return (name, hash) => {
    if (hash === "none") return name;
    const hashed = known[hash].get(name) ?? hashName(name, hash);
    known[hash].set(name, hashed);
    return hashed;
  };
}
