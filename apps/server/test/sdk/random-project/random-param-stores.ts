import type { WritableSchema } from "@gatehouse/contract/console";
import { type Call, call } from "./calls.ts";
import type { Random } from "./random.ts";

type Named = { gates: string[]; configs: string[]; experiments: string[]; layers: string[] };
type Parameter = WritableSchema<"ParamStoreParameter">;

/** A param store with a parameter for each kind of source in the project. */
export function randomParamStore(random: Random, { gates, configs, experiments, layers }: Named, name: string): Call[] {
  const from = (ids: string[], make: (id: string) => Parameter) => (ids.length > 0 ? [make(random.pick(ids))] : []);
  const color = { param_type: "string", param_name: "color" } as const;
  const parameters: Parameter[] = [
    { name: "fixed", ref_type: "static", param_type: "number", value: random.pick([0, 1.5, -7]) },
    ...from(gates, (id) => ({
      name: "from_gate",
      ref_type: "gate",
      param_type: "string",
      gate_name: id,
      pass_value: "passes",
      fail_value: "fails",
    })),
    ...from(configs, (id) => ({ name: "from_config", ref_type: "dynamic_config", config_name: id, ...color })),
    ...from(experiments, (id) => ({ name: "from_experiment", ref_type: "experiment", experiment_name: id, ...color })),
    ...from(layers, (id) => ({ name: "from_layer", ref_type: "layer", layer_name: id, ...color })),
  ];
  return [call("createParamStore", { body: { name, parameters } })];
}
