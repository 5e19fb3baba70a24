import { explicitParameters, objectValue } from "./answers.ts";
import { type Decision, keptWithDecision } from "./decision.ts";
import type { NameHash } from "./evaluator.ts";
import { hashName } from "./hash.ts";
import type { Parameter, ParamStore } from "./ruleset.ts";
import { utf8 } from "./utf8.ts";

/**
 * A spec's member of an initialize response, after a comma. `whole` is for a decision without exposures; `start` ends within the list of
 * exposures, which is last.
 */
export type SpecPiece = { whole: Uint8Array; start: Uint8Array };

export type KeptPieces = {
  gate(decision: Decision): SpecPiece;
  config(decision: Decision): SpecPiece;
  layer(decision: Decision): SpecPiece;
  /** A gate's decision, as an item of another spec's list of exposures. */
  exposure(decision: Decision): Uint8Array;
  paramStore(name: string, store: ParamStore): Uint8Array;
};

/** The pieces of initialize responses whose names have this hash. */
export function initializePieces(hash: NameHash): KeptPieces {
  return PIECES[hash];
}

const PIECES: Record<NameHash, KeptPieces> = { djb2: createPieces("djb2"), sha256: createPieces("sha256"), none: createPieces("none") };

type Hashed = (name: string) => string;

function createPieces(hash: NameHash): KeptPieces {
  const hashed: Hashed = (name) => hashName(name, hash);
  const paramStores = new WeakMap<ParamStore, { name: string; piece: Uint8Array }>();
  return {
    gate: keptWithDecision((decision) => specPiece(gate(decision, hashed))),
    config: keptWithDecision((decision) => specPiece(config(decision, hashed))),
    layer: keptWithDecision((decision) => specPiece(layer(decision, hashed), '],"undelegated_secondary_exposures":[')),
    exposure: keptWithDecision(({ compiled, on, ruleID }) =>
      utf8(JSON.stringify({ gate: hashed(compiled.name), gateValue: on ? "true" : "false", ruleID })),
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

/** @param between the text between the lists of exposures, if there are two */
function specPiece(answer: { name: string }, between = ""): SpecPiece {
  const start = `,${JSON.stringify(answer.name)}:${JSON.stringify(answer).slice(0, -1)},"secondary_exposures":[`;
  const whole = utf8(`${start}${between}]}`);
  return { whole, start: whole.subarray(0, whole.length - between.length - 2) };
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
