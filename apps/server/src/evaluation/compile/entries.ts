import type { Schema } from "@gatehouse/contract/console";
import type { ParamStore } from "@gatehouse/evaluation";

export function paramStoreEntry({ parameters }: Schema<"ParamStore">): ParamStore {
  return { parameters: Object.fromEntries(parameters.map(({ name, ...parameter }) => [name, parameter])) as ParamStore["parameters"] };
}

/** Prompts have no versions yet that an application can request. */
export function promptEntry({ targetApps }: Schema<"Prompt">) {
  return { promptVersionIds: [], targetAppIDs: targetApps };
}
