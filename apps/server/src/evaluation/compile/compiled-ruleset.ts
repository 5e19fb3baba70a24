import type { ParamStore } from "@gatehouse/evaluation";
import type { OrderedChunks } from "./ordered-chunks.ts";
import type { SpecList } from "./spec-list.ts";

/** What applications evaluate, as one moment shows it. It never changes; the next one shares with it all that is the same. */
export type CompiledRuleset = {
  /** When the ruleset last changed, ms. */
  time: number;
  gates: SpecList;
  configs: SpecList;
  layers: SpecList;
  /** The experiments of each layer, by their ids. */
  experimentsOnLayers: OrderedChunks<readonly string[]>;
  /** The names of the lists that conditions look into, in order. */
  idLists: readonly string[];
  paramStores: OrderedChunks<ParamStore>;
  prompts: OrderedChunks<object>;
  defaultEnvironment: string | null;
};
