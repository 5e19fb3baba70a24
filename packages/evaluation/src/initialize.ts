import { explicitParameters, objectValue } from "./answers.ts";
import type { CompiledSpec } from "./compile.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import type { InitializeResponse, NameHash, SecondaryExposure } from "./evaluator.ts";
import type { Outcome } from "./outcome.ts";
import type { Parameter, ParamStore } from "./ruleset.ts";
import type { User } from "./user.ts";

/** What an initialize response is made from. `hashed` writes a name for the client. */
type Initialization = {
  evaluation: Evaluation;
  gates: Iterable<CompiledSpec>;
  configs: Iterable<CompiledSpec>;
  layers: Iterable<CompiledSpec>;
  paramStores: Iterable<[name: string, ParamStore]>;
  time: number;
  hash: NameHash;
  hashed(name: string): string;
};

type Hashed = Initialization["hashed"];

export function initializeResponse(initialization: Initialization): InitializeResponse {
  const { evaluation, paramStores, time, hash, hashed } = initialization;
  return {
    feature_gates: each(initialization, initialization.gates, gate),
    dynamic_configs: each(initialization, initialization.configs, config),
    layer_configs: each(initialization, initialization.layers, layer),
    param_stores: Object.fromEntries(Array.from(paramStores, ([name, store]) => [hashed(name), parameters(store, hashed)])),
    has_updates: true,
    time,
    hash_used: hash,
    evaluated_keys: evaluatedKeys(evaluation.user),
    user: shown(evaluation.user),
    sdkParams: {},
    sdkInfo: { sdkType: "gatehouse" },
    generator: "gatehouse",
  };
}

type Written = { name: string };

function each(
  { evaluation, hashed }: Initialization,
  specs: Iterable<CompiledSpec>,
  write: (compiled: CompiledSpec, outcome: Outcome, hashed: Hashed) => Written,
): Record<string, object> {
  const entries: [string, Written][] = [];
  for (const compiled of specs) {
    if (compiled.spec.entity === "segment" || compiled.spec.entity === "holdout") continue;
    const written = write(compiled, evaluate(evaluation, compiled), hashed);
    entries.push([written.name, written]);
  }
  return Object.fromEntries(entries);
}

function gate({ name, spec }: CompiledSpec, outcome: Outcome, hashed: Hashed) {
  return {
    name: hashed(name),
    value: outcome.on,
    rule_id: outcome.ruleID,
    secondary_exposures: exposed(outcome.exposures, hashed),
    id_type: spec.idType ?? null,
  };
}

function config(compiled: CompiledSpec, outcome: Outcome, hashed: Hashed) {
  const { spec } = compiled;
  const common = { ...configOrLayer(compiled, outcome, hashed), id_type: spec.idType ?? null };
  if (spec.entity === "dynamic_config") return { ...common, passed: outcome.on };
  if (spec.entity === "autotune") return common;
  return {
    ...common,
    is_user_in_experiment: outcome.isGroup,
    is_experiment_active: spec.isActive === true,
    ...(spec.hasSharedParams === true && { is_in_layer: true, explicit_parameters: spec.explicitParameters ?? [] }),
  };
}

function layer(compiled: CompiledSpec, outcome: Outcome, hashed: Hashed) {
  const { delegate } = outcome;
  return {
    ...configOrLayer(compiled, outcome, hashed),
    explicit_parameters: explicitParameters(outcome, compiled),
    undelegated_secondary_exposures: exposed(outcome.undelegatedExposures, hashed),
    ...(delegate && {
      allocated_experiment_name: hashed(delegate.name),
      is_user_in_experiment: outcome.isGroup,
      is_experiment_active: delegate.spec.isActive === true,
    }),
  };
}

function configOrLayer({ name, spec }: CompiledSpec, outcome: Outcome, hashed: Hashed) {
  return {
    name: hashed(name),
    value: objectValue(outcome),
    group: outcome.ruleID,
    rule_id: outcome.ruleID,
    ...(outcome.groupName !== null && { group_name: outcome.groupName }),
    is_device_based: spec.idType?.toLowerCase() === "stableid",
    secondary_exposures: exposed(outcome.exposures, hashed),
  };
}

function exposed(exposures: readonly SecondaryExposure[], hashed: Hashed): readonly SecondaryExposure[] {
  return exposures.length === 0 ? exposures : exposures.map((exposure) => ({ ...exposure, gate: hashed(exposure.gate) }));
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

function evaluatedKeys({ userID, customIDs }: User): object {
  const hasID = userID !== undefined && userID !== null && userID !== "";
  return {
    ...(hasID && { userID }),
    ...(customIDs && Object.keys(customIDs).length > 0 && { customIDs }),
  };
}

function shown({ privateAttributes: _, ...user }: User): object {
  return user;
}
