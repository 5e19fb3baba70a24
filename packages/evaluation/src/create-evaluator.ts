import {
  CONFIG_NOT_FOUND,
  GATE_NOT_FOUND,
  LAYER_NOT_FOUND,
  objectValue,
  PARAM_STORE_NOT_FOUND,
  toConfig,
  toGate,
  toLayer,
} from "./answers.ts";
import { type Evaluation, evaluate, newEvaluation, type Situation } from "./evaluate.ts";
import type { Evaluator } from "./evaluator.ts";
import { explain } from "./explain.ts";
import { bucket, bucketBy } from "./hash.ts";
import { createIDLists } from "./id-lists.ts";
import { initializeMembers } from "./initialize.ts";
import { evaluateParamStore } from "./parameters.ts";
import type { IndexedRuleset, Ruleset } from "./ruleset.ts";
import type { EvaluationRuntime } from "./runtime.ts";
import { isIndexed, type SpecTable, specTables } from "./spec-table.ts";
import type { User } from "./user.ts";
import { toText } from "./utf8.ts";

export type EvaluatorOptions = {
  /** The 8-character hashes of each id list, by name (see `hashID`). A Set is not copied, so it may change while it is in use. */
  idLists?: Record<string, Iterable<string>>;
  /** The current time, ms since the epoch, or a function that returns it. Defaults to the time of the ruleset's last change. */
  now?: number | (() => number);
  /** The two-letter code of an IP address's country. */
  ipToCountry?: (ip: string) => string | null;
  /** A SHA-256 of a text's UTF-8 in hexadecimal digits that is faster than the package's own. */
  sha256?: (text: string) => string;
};

/**
 * Creates an evaluator of a ruleset, which must not change afterwards. Each spec is compiled at its first use and cached by its object, so
 * an evaluator of a ruleset that shares specs with an older one reuses them. Results are shared objects: do not change them.
 */
export function createEvaluator(ruleset: Ruleset | IndexedRuleset, options: EvaluatorOptions = {}): Evaluator {
  const { gates, configs, layers } = specTables(ruleset);
  const paramStores = isIndexed(ruleset) ? ruleset.paramStores : new Map(Object.entries(ruleset.param_stores ?? {}));
  const runtime: EvaluationRuntime = {
    now: clock(options.now ?? ruleset.time),
    bucket: options.sha256 ? bucketBy(options.sha256) : bucket,
    idList: createIDLists(options.idLists ?? {}),
    ipToCountry: options.ipToCountry ?? (() => null),
    defaultTier: (isIndexed(ruleset) ? ruleset.defaultEnvironment : ruleset.default_environment) ?? null,
    appID: (isIndexed(ruleset) ? null : ruleset.app_id) ?? null,
  };
  const situation: Situation = { runtime, gate: gates.get, config: configs.get };
  const evaluateSpec = (table: SpecTable, name: string, user: User) => {
    const compiled = table.get(name);
    return compiled && evaluate(newEvaluation(situation, user), compiled);
  };
  const explainer = (table: SpecTable) => (name: string, user: User) => {
    const compiled = table.get(name);
    return compiled && explain(newEvaluation(situation, user), compiled);
  };
  const decider = (table: SpecTable) => (name: string, user: User) => evaluateSpec(table, name, user);
  const decisionsIn = (evaluation: Evaluation) => {
    const decide = (table: SpecTable) => (name: string) => {
      const compiled = table.get(name);
      return compiled && evaluate(evaluation, compiled).decision;
    };
    return { gate: decide(gates), config: decide(configs), layer: decide(layers) };
  };
  const paramStoreIn = (evaluation: Evaluation) => {
    const { gate, config, layer } = decisionsIn(evaluation);
    const values = {
      gate: (name: string) => gate(name)?.on ?? false,
      config: (name: string) => objectValue(config(name)),
      layer: (name: string) => objectValue(layer(name)),
    };
    return (name: string) => {
      const store = paramStores.get(name);
      return store ? evaluateParamStore(store, values) : PARAM_STORE_NOT_FOUND;
    };
  };
  const initializeMembersFor: Evaluator["initializeMembers"] = (user, { hash }) => {
    const specs = { gates: gates.groups(), configs: configs.groups(), layers: layers.groups(), paramStores: paramStores.entries() };
    return initializeMembers({ evaluation: newEvaluation(situation, user), ...specs, hash });
  };
  return {
    gate(name, user) {
      const outcome = evaluateSpec(gates, name, user);
      return outcome ? toGate(outcome) : GATE_NOT_FOUND;
    },
    config(name, user) {
      const outcome = evaluateSpec(configs, name, user);
      return outcome ? toConfig(outcome) : CONFIG_NOT_FOUND;
    },
    layer(name, user) {
      const outcome = evaluateSpec(layers, name, user);
      return outcome ? toLayer(outcome) : LAYER_NOT_FOUND;
    },
    paramStore: (name, user) => paramStoreIn(newEvaluation(situation, user))(name),
    initialize(user, options) {
      return { ...JSON.parse(`{${toText(initializeMembersFor(user, options))}}`), time: ruleset.time };
    },
    initializeMembers: initializeMembersFor,
    decide: { gate: decider(gates), config: decider(configs), layer: decider(layers) },
    decisionsFor(user) {
      const evaluation = newEvaluation(situation, user);
      return { ...decisionsIn(evaluation), paramStore: paramStoreIn(evaluation) };
    },
    explain: { gate: explainer(gates), config: explainer(configs), layer: explainer(layers) },
    decideAll(user) {
      const evaluation = newEvaluation(situation, user);
      const decisions = (table: SpecTable) =>
        table.groups().flatMap(({ specs }) => specs.map((compiled) => evaluate(evaluation, compiled).decision));
      const paramStore = paramStoreIn(evaluation);
      return {
        gate: decisions(gates),
        config: decisions(configs),
        layer: decisions(layers),
        paramStores: Array.from(paramStores.entries(), ([name]) => [name, paramStore(name)]),
      };
    },
    specs: {
      gate: (name) => gates.get(name)?.spec,
      config: (name) => configs.get(name)?.spec,
      layer: (name) => layers.get(name)?.spec,
    },
  };
}

function clock(now: number | (() => number)): EvaluationRuntime["now"] {
  return typeof now === "function" ? now : () => now;
}
