import type { RulesetV1 } from "@gatehouse/evaluation";
import type { Answer } from "../support/sdk.ts";

/** Something that an application can evaluate. */
export type Subject = {
  kind: "gate" | "segment" | "holdout" | "config" | "experiment" | "autotune" | "layer" | "store";
  name: string;
  /** The parameters of layers and param stores, which SDKs evaluate one by one. */
  parameters: string[];
};

/** One evaluator's results for one user, by subject. */
export type Answers = Record<string, Answer>;

export const toKey = ({ kind, name }: Subject): string => `${kind} ${name}`;

/** Every subject of a ruleset. */
export function listSubjects({ feature_gates, dynamic_configs, layer_configs, param_stores = {} }: RulesetV1): Subject[] {
  const plain = { parameters: [] };
  return [
    ...feature_gates.map(({ name = "", entity }) => ({ kind: gateKind(entity), name, ...plain })),
    ...dynamic_configs.map(({ name = "", entity }) => ({ kind: configKind(entity), name, ...plain })),
    ...layer_configs.map(({ name = "", defaultValue }) => ({
      kind: "layer" as const,
      name,
      parameters: Object.keys(defaultValue as object),
    })),
    ...Object.entries(param_stores).map(([name, { parameters }]) => ({
      kind: "store" as const,
      name,
      parameters: Object.keys(parameters),
    })),
  ];
}

function gateKind(entity: string): "gate" | "segment" | "holdout" {
  return entity === "segment" || entity === "holdout" ? entity : "gate";
}

function configKind(entity: string): "config" | "experiment" | "autotune" {
  return entity === "experiment" || entity === "autotune" ? entity : "config";
}

/** The parameters with their values; null for one without a value. */
export function parameterValues({ parameters }: Subject, get: (parameter: string) => unknown): Record<string, unknown> {
  return Object.fromEntries(parameters.map((parameter) => [parameter, get(parameter) ?? null]));
}
