import type { Evaluator, ParamStoreEvaluation } from "./evaluator.ts";
import type { Parameter, ParamStore } from "./ruleset.ts";
import type { User } from "./user.ts";

type Answers = Pick<Evaluator, "gate" | "config" | "layer">;

/** Each parameter's value for the user. One that has none, as what it refers to lacks it, is left out: the application's default counts. */
export function evaluateParamStore(store: ParamStore, answers: Answers, user: User): ParamStoreEvaluation {
  const found = Object.entries(store.parameters ?? {}).map(
    ([name, parameter]) => [name, parameterValue(parameter, answers, user)] as const,
  );
  return { value: Object.fromEntries(found.filter(([, value]) => value !== undefined)), reason: "recognised" };
}

function parameterValue(parameter: Parameter, answers: Answers, user: User): unknown {
  switch (parameter.ref_type) {
    case "static":
      return parameter.value;
    case "gate":
      return answers.gate(parameter.gate_name, user).value ? parameter.pass_value : parameter.fail_value;
    case "dynamic_config":
      return own(answers.config(parameter.config_name, user).value, parameter.param_name);
    case "experiment":
      return own(answers.config(parameter.experiment_name, user).value, parameter.param_name);
    case "layer":
      return own(answers.layer(parameter.layer_name, user).value, parameter.param_name);
    default:
      return undefined;
  }
}

function own(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
