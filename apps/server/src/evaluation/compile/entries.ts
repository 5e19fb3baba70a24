import type { Schema } from "@gatehouse/contract/console";
import type { ParamStore } from "@gatehouse/evaluation";

export function paramStoreEntry({ parameters }: Schema<"ParamStore">): ParamStore {
  return { parameters: Object.fromEntries(parameters.map(({ name, ...parameter }) => [name, parameter])) as ParamStore["parameters"] };
}
