import type { Schema } from "@gatehouse/contract/console";
import type { ParamStore, RulesetV1, Spec } from "@gatehouse/evaluation";
import type { Context, KeyScope } from "../../src/common/context.ts";
import { newAutotune } from "../../src/console/autotunes/autotune.ts";
import { newDynamicConfig } from "../../src/console/dynamic-configs/dynamic-config.ts";
import type { EvaluatedProject } from "../../src/console/evaluated-project.ts";
import { newExperiment } from "../../src/console/experiments/experiment.ts";
import { newGate } from "../../src/console/gates/gate.ts";
import { newHoldout } from "../../src/console/holdouts/holdout.ts";
import { newLayer } from "../../src/console/layers/layer.ts";
import { newSegment } from "../../src/console/segments/segment.ts";
import type { CompiledRuleset } from "../../src/evaluation/compile/compiled-ruleset.ts";
import { createCompiler } from "../../src/evaluation/compile/compiler.ts";
import { type Change, createProjectState, type Part } from "../../src/evaluation/compile/project-state.ts";

export const context: Context = {
  actor: { id: "key_1", name: "CONSOLE API", email: null },
  projectID: "p",
  operationID: "createGate",
  now: 1,
};
export const EVERYWHERE: Scope = { environments: [], targetApps: [] };
export const TIME = 1_700_000_000_000;

export type Scope = Pick<KeyScope, "environments" | "targetApps">;
type Values<M> = M extends ReadonlyMap<string, infer V> ? V : never;
type Keyed = "autotuneWeights" | "gateOverrides" | "experimentOverrides" | "layerOverrides" | "holdoutOverrides" | "segmentIDs";
type Lists = { [K in Exclude<keyof EvaluatedProject, Keyed | "environments">]?: Values<EvaluatedProject[K]>[] };
type Given = Lists & { [K in Keyed]?: Record<string, Values<EvaluatedProject[K]>> } & { environments?: string[] };

/** A project of the given entities. Its environments default to development, staging and production. */
export function buildProject({ environments = ["development", "staging", "production"], ...given }: Given): EvaluatedProject {
  const byID = <E extends { id: string }>(entities: E[] = []) => new Map(entities.map((entity) => [entity.id, entity]));
  const keyed = <V>(values: Record<string, V> = {}) => new Map(Object.entries(values));
  const plain = { requiresReview: false, requiresReleasePipeline: false };
  return {
    environments: {
      environments: environments.map((name) => ({ id: name, name, isProduction: name === "production", ...plain })),
      version: 1,
    },
    gates: byID(given.gates),
    autotunes: byID(given.autotunes),
    dynamicConfigs: byID(given.dynamicConfigs),
    experiments: byID(given.experiments),
    layers: byID(given.layers),
    segments: byID(given.segments),
    holdouts: byID(given.holdouts),
    paramStores: byID(given.paramStores),
    prompts: byID(given.prompts),
    autotuneWeights: keyed(given.autotuneWeights),
    gateOverrides: keyed(given.gateOverrides),
    experimentOverrides: keyed(given.experimentOverrides),
    layerOverrides: keyed(given.layerOverrides),
    holdoutOverrides: keyed(given.holdoutOverrides),
    segmentIDs: keyed(given.segmentIDs),
  };
}

export const buildGate = (id: string, given: Partial<Schema<"Gate">> = {}) => ({
  ...newGate({ name: id, ...(given.rules && { rules: given.rules }) }, context),
  ...given,
  id,
  rules: given.rules ?? [],
});

export const buildAutotune = (id: string, given: Partial<Schema<"Autotune">> = {}): Schema<"Autotune"> => ({
  ...newAutotune(
    {
      name: id,
      variants: [
        { name: "Blue", json: { color: "blue" } },
        { name: "Green", json: { color: "green" } },
      ],
      successEvent: "purchase",
      explorationWindow: "24hr",
      attributionWindow: "1hr",
      winnerThreshold: "95%",
    },
    context,
  ),
  ...given,
  id,
});

export const buildConfig = (id: string, given: Partial<Schema<"DynamicConfig">> = {}) => ({
  ...newDynamicConfig({ name: id }, context).config,
  ...given,
  id,
});

export const buildSegment = (id: string, type: Schema<"Segment">["type"], given: Partial<Schema<"Segment">> = {}) => ({
  ...newSegment({ name: id, type }, context),
  ...given,
  id,
});

export const buildHoldout = (id: string, given: Partial<Schema<"Holdout">> = {}) => ({
  ...newHoldout({ name: id }, context),
  ...given,
  id,
});

export const buildLayer = (id: string, given: Partial<Schema<"Layer">> = {}) => ({
  ...newLayer({ name: id, idType: "userID" }, context),
  ...given,
  id,
});

/** An experiment in setup, with the groups `control` and `test` of 50% each, and the salt `<id>_salt`. */
export const buildExperiment = (id: string, given: Partial<Schema<"Experiment">> = {}): Schema<"Experiment"> => ({
  ...newExperiment({ name: id, groups: [group("control", 50), group("test", 50)] }, undefined, context),
  salt: `${id}_salt`,
  ...given,
  id,
});

export const group = (id: string, size: number, parameterValues: Record<string, unknown> = {}) => ({ id, name: id, size, parameterValues });

export const NO_LISTS: Schema<"OverrideLists"> = {
  passingUserIDs: [],
  failingUserIDs: [],
  passingCustomIDs: [],
  failingCustomIDs: [],
  environmentOverrides: [],
  version: 1,
  createdTime: 1,
};

/** The buckets of a range, its end exclusive. */
export const buckets = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

export function compileOnce(given: Given, scope = EVERYWHERE): RulesetV1 {
  return toV1(compileProject(buildProject(given), scope));
}

/** A complete compilation of the project. */
export function compileProject(project: EvaluatedProject, scope = EVERYWHERE): CompiledRuleset {
  return createCompiler(buildState(project), scope).compile(TIME);
}

export function buildState(project: EvaluatedProject) {
  return createProjectState(project.environments, changesBetween(undefined, project));
}

/** The changes that turn one project, or an empty one, into another. */
export function changesBetween(before: EvaluatedProject | undefined, after: EvaluatedProject): Change[] {
  const { environments: _, ...places } = after;
  return (Object.keys(places) as Part[]).flatMap((part) => {
    const [former, latter] = [before?.[part] ?? new Map<string, object>(), after[part] as ReadonlyMap<string, object>];
    const ids = new Set([...former.keys(), ...latter.keys()]);
    return [...ids].filter((id) => former.get(id) !== latter.get(id)).map((id) => ({ part, id, value: latter.get(id) }));
  });
}

/** A compiled ruleset in the v1 format. */
export function toV1(ruleset: CompiledRuleset): RulesetV1 {
  const prompts = [...ruleset.prompts.entries()];
  return {
    has_updates: true,
    time: ruleset.time,
    feature_gates: ruleset.gates.values(),
    dynamic_configs: [...ruleset.configs.values(), ...prompts.flatMap(([, { specs }]) => specs)],
    layer_configs: ruleset.layers.values(),
    layers: Object.fromEntries([...ruleset.experimentsOnLayers.entries()].map(([id, experiments]) => [id, [...experiments]])),
    id_lists: Object.fromEntries(ruleset.idLists.map((name) => [name, true])),
    param_stores: Object.fromEntries<ParamStore>([
      ...ruleset.paramStores.entries(),
      ...prompts.map(([, { name, store }]): [string, ParamStore] => [name, store]),
    ]),
    prompt_configs: Object.fromEntries(prompts.map(([id, { config }]) => [id, config])),
    default_environment: ruleset.defaultEnvironment,
  };
}

/** The spec with a name, of any kind. */
export function findSpec({ feature_gates, dynamic_configs, layer_configs }: RulesetV1, name: string): Spec | undefined {
  return [...feature_gates, ...dynamic_configs, ...layer_configs].find((spec) => spec.name === name);
}

export function ruleIDs(spec: Spec | undefined): string[] {
  return (spec?.rules ?? []).map(({ id }) => id);
}

/** A compiled condition, with defaults for omitted fields. */
export function condition(
  type: string,
  details: { targetValue?: unknown; operator?: string; field?: string; salt?: string; idType?: string } = {},
) {
  const { targetValue = null, operator = null, field = null, salt, idType = "userID" } = details;
  return { type, targetValue, operator, field, additionalValues: salt === undefined ? {} : { salt }, idType };
}
