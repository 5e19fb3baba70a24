import { explicitParameters, objectValue } from "./answers.ts";
import { type Decision, keptWithDecision } from "./decision.ts";
import type { NameHash } from "./evaluator.ts";
import { hashName } from "./hash.ts";
import type { Parameter, ParamStore } from "./ruleset.ts";
import { utf8 } from "./utf8.ts";

/** The JSON of decisions in an initialize response, each after a comma, up to the end of the list of exposures. */
export type KeptPieces = {
  gate: SpecPiece;
  config: SpecPiece;
  layer: SpecPiece;
  /** A gate's decision, as an item of another spec's list of exposures. */
  exposure(decision: Decision): string;
  paramStore(name: string, store: ParamStore): Uint8Array;
};

/** A spec's member of the response: `whole` for a decision without exposures; otherwise `start`, which ends within the list. */
export type SpecPiece = { whole(decision: Decision): string; start(decision: Decision): string };

/** The pieces of initialize responses whose names have this hash. */
export function initializePieces(hash: NameHash): KeptPieces {
  return PIECES[hash];
}

/** Between the two lists of exposures of a layer. */
export const SECOND_LIST = '],"undelegated_secondary_exposures":[';

const PIECES: Record<NameHash, KeptPieces> = { djb2: createPieces("djb2"), sha256: createPieces("sha256"), none: createPieces("none") };

type Hashed = (name: string) => string;

function createPieces(hash: NameHash): KeptPieces {
  const hashed: Hashed = (name) => hashName(name, hash);
  const paramStores = new WeakMap<ParamStore, { name: string; piece: Uint8Array }>();
  return {
    gate: specPiece((decision) => gate(decision, hashed), "]}"),
    config: specPiece((decision) => config(decision, hashed), "]}"),
    layer: specPiece((decision) => layer(decision, hashed), `${SECOND_LIST}]}`),
    exposure: keptWithDecision(({ compiled, on, ruleID }) =>
      JSON.stringify({ gate: hashed(compiled.name), gateValue: on ? "true" : "false", ruleID }),
    ),
    paramStore(name, store) {
      const known = paramStores.get(store);
      if (known?.name === name) return known.piece;
      const piece = utf8(`,${JSON.stringify(hashed(name))}:${JSON.stringify(parameters(store, hashed))}`);
      paramStores.set(store, { name, piece });
      return piece;
    },
  };
}

/** @param end closes a member whose lists of exposures are empty */
function specPiece(toAnswer: (decision: Decision) => { name: string }, end: string): SpecPiece {
  const start = (decision: Decision) => {
    const answer = toAnswer(decision);
    return [",", JSON.stringify(answer.name), ":", JSON.stringify(answer).slice(0, -1), ',"secondary_exposures":['].join("");
  };
  return { whole: (decision) => start(decision) + end, start: keptWithDecision(start) };
}

function gate({ compiled: { name, spec }, on, ruleID }: Decision, hashed: Hashed) {
  return { name: hashed(name), value: on, rule_id: ruleID, id_type: spec.idType ?? null };
}

function config(decision: Decision, hashed: Hashed) {
  const { spec } = decision.compiled;
  const common = { ...configOrLayer(decision, hashed), id_type: spec.idType ?? null };
  if (spec.entity === "dynamic_config") return { ...common, passed: decision.on };
  if (spec.entity === "autotune") return common;
  return {
    ...common,
    is_user_in_experiment: decision.isGroup,
    is_experiment_active: spec.isActive === true,
    ...(spec.hasSharedParams === true && { is_in_layer: true, explicit_parameters: spec.explicitParameters ?? [] }),
  };
}

function layer(decision: Decision, hashed: Hashed) {
  const { delegate } = decision;
  return {
    ...configOrLayer(decision, hashed),
    explicit_parameters: explicitParameters(decision),
    ...(delegate && {
      allocated_experiment_name: hashed(delegate.name),
      is_user_in_experiment: decision.isGroup,
      is_experiment_active: delegate.spec.isActive === true,
    }),
  };
}

function configOrLayer(decision: Decision, hashed: Hashed) {
  const { ruleID, groupName, compiled } = decision;
  return {
    name: hashed(compiled.name),
    value: objectValue(decision),
    group: ruleID,
    rule_id: ruleID,
    ...(groupName !== null && { group_name: groupName }),
    is_device_based: compiled.spec.idType?.toLowerCase() === "stableid",
  };
}

function parameters(store: ParamStore, hashed: Hashed): Record<string, Parameter> {
  return Object.fromEntries(Object.entries(store.parameters ?? {}).map(([name, parameter]) => [name, withHashedName(parameter, hashed)]));
}

function withHashedName(parameter: Parameter, hashed: Hashed): Parameter {
  switch (parameter.ref_type) {
    case "gate":
      return { ...parameter, gate_name: hashed(parameter.gate_name) };
    case "dynamic_config":
      return { ...parameter, config_name: hashed(parameter.config_name) };
    case "experiment":
      return { ...parameter, experiment_name: hashed(parameter.experiment_name) };
    case "layer":
      return { ...parameter, layer_name: hashed(parameter.layer_name) };
    default:
      return parameter;
  }
}
