import type { ParamStoreEvaluation } from "./evaluator.ts";
import type { Parameter, ParamStore } from "./ruleset.ts";

/** The values that parameters reference, for one user. */
type Values = {
  gate(name: string): boolean;
  config(name: string): Record<string, unknown>;
  layer(name: string): Record<string, unknown>;
};

/** The parameters' values for a user. A parameter whose source has no value is left out, so that the application's default applies. */
export function evaluateParamStore(store: ParamStore, values: Values): ParamStoreEvaluation {
  const parameters = Object.entries(store.parameters ?? {});
  const found = parameters.map(([name, parameter]) => [name, parameterValue(parameter, values)] as const);
  return {
    value: Object.fromEntries(found.filter(([, value]) => value !== undefined)),
    isStatic: parameters.every(([, { ref_type }]) => ref_type === "static"),
    reason: "recognised",
  };
}

function parameterValue(parameter: Parameter, values: Values): unknown {
  switch (parameter.ref_type) {
    case "static":
      return parameter.value;
    case "gate":
      return values.gate(parameter.gate_name) ? parameter.pass_value : parameter.fail_value;
    case "dynamic_config":
      return own(values.config(parameter.config_name), parameter.param_name);
    case "experiment":
      return own(values.config(parameter.experiment_name), parameter.param_name);
    case "layer":
      return own(values.layer(parameter.layer_name), parameter.param_name);
    default:
      return undefined;
  }
}

function own(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
