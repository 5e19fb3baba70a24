import type { ParamStore } from "@gatehouse/evaluation";
import type { OrderedChunks } from "./ordered-chunks.ts";
import type { CompiledPrompt } from "./prompt-entry.ts";
import type { SpecList } from "./spec-list.ts";

/** An immutable snapshot of the entities that applications evaluate. Consecutive snapshots share the objects that did not change. */
export type CompiledRuleset = {
  /** When the ruleset last changed, ms since the epoch. */
  time: number;
  gates: SpecList;
  configs: SpecList;
  layers: SpecList;
  /** The experiments of each layer, by their ids. */
  experimentsOnLayers: OrderedChunks<readonly string[]>;
  /** The names of the id lists that conditions read, sorted. */
  idLists: readonly string[];
  paramStores: OrderedChunks<ParamStore>;
  prompts: OrderedChunks<CompiledPrompt>;
  defaultEnvironment: string | null;
};
