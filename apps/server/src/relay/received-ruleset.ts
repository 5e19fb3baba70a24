import { createEvaluator, type ParamStore, type Spec } from "@gatehouse/evaluation";
import { PROMPT_PREFIX } from "../console/common/prompt-name.ts";
import { NO_ENVIRONMENTS } from "../console/environments/environment-set.ts";
import type { EvaluatedProject } from "../console/evaluated-project.ts";
import type { CompiledRuleset } from "../evaluation/compile/compiled-ruleset.ts";
import { OrderedChunks } from "../evaluation/compile/ordered-chunks.ts";
import type { CompiledPrompt } from "../evaluation/compile/prompt-entry.ts";
import { SpecList } from "../evaluation/compile/spec-list.ts";
import type { EventOrigin } from "../evaluation/events/event-origin.ts";
import { sendable } from "../evaluation/rulesets/sendable.ts";
import { type RulesetView, toView } from "../evaluation/rulesets/views.ts";
import { sha256 } from "../evaluation/rulesets/what-if.ts";

/** The part of its project that a key can access. Empty lists mean no limit. */
export type Reach = { environments: string[]; targetApps: string[] };

/** The origin of events as a relay knows it. The origin server completes it from the limits of their key. */
export type RelayedOrigin = EventOrigin & { reach: Reach };

/** The ruleset in the first format of `download_config_specs`, as a server writes it. */
type V1 = {
  time: number;
  checksum: string;
  feature_gates: Spec[];
  dynamic_configs: Spec[];
  layer_configs: Spec[];
  layers: Record<string, string[]>;
  id_lists: Record<string, true>;
  param_stores: Record<string, ParamStore>;
  prompt_configs: Record<string, CompiledPrompt["config"]>;
  default_environment: string | null;
};

/** A relay has no entities: rulesets are all that it evaluates. */
const NO_PROJECT: EvaluatedProject = {
  environments: NO_ENVIRONMENTS,
  ...{ gates: new Map(), autotunes: new Map(), dynamicConfigs: new Map(), experiments: new Map(), layers: new Map() },
  ...{ segments: new Map(), holdouts: new Map(), paramStores: new Map(), prompts: new Map(), autotuneWeights: new Map() },
  ...{ gateOverrides: new Map(), experimentOverrides: new Map(), layerOverrides: new Map(), holdoutOverrides: new Map() },
  segmentIDs: new Map(),
};

/** A ruleset as the origin sent it. */
export type ReceivedRuleset = { text: string; ruleset: CompiledRuleset; checksum: string };

/** Reads the text of a ruleset. The ruleset's own texts and evaluations are equal to those of the origin. */
export function readRuleset(text: string): ReceivedRuleset {
  const v1: V1 = JSON.parse(text);
  const prompts = Object.entries(v1.prompt_configs);
  const count = prompts.reduce((sum, [, { promptVersionIds }]) => sum + promptVersionIds.length, 0);
  // Specs of prompts follow those of configs.
  const configs = v1.dynamic_configs.slice(0, v1.dynamic_configs.length - count);
  const versions = new Map(v1.dynamic_configs.slice(configs.length).map((spec) => [spec.name, spec]));
  const compiled = prompts.map(([id, config]): [string, CompiledPrompt] => {
    const name = `${PROMPT_PREFIX}${id}`;
    const specs = config.promptVersionIds.flatMap((version) => versions.get(`${PROMPT_PREFIX}${version}`) ?? []);
    return [id, { config, name, store: v1.param_stores[name] as ParamStore, specs }];
  });
  const ofPrompts = new Set(compiled.map(([, { name }]) => name));
  const ruleset: CompiledRuleset = {
    time: v1.time,
    gates: inOrder(v1.feature_gates),
    configs: inOrder(configs),
    layers: inOrder(v1.layer_configs),
    experimentsOnLayers: sorted(Object.entries(v1.layers)),
    idLists: Object.keys(v1.id_lists).sort(),
    paramStores: sorted(Object.entries(v1.param_stores).filter(([name]) => !ofPrompts.has(name))),
    prompts: sorted(compiled),
    defaultEnvironment: v1.default_environment,
  };
  return { text, ruleset, checksum: v1.checksum };
}

/** The specs in the order in which they were sent. */
function inOrder(specs: Spec[]): SpecList {
  return new SpecList().patched(new Map(specs.map((spec, index) => [String(index).padStart(9, "0"), spec])));
}

function sorted<V>(entries: [string, V][]): OrderedChunks<V> {
  return new OrderedChunks<V>().patched(new Map(entries));
}

type ViewOptions = {
  /** The hashes of the ids in each list. */
  idLists: Record<string, Set<string>>;
  reach: Reach;
  /** When the relay received the ruleset's last change, ms since the epoch. */
  changedAt: number;
  now: () => number;
};

/** The view of keys with this reach. */
export function receivedView({ text, ruleset, checksum }: ReceivedRuleset, { idLists, reach, changedAt, now }: ViewOptions): RulesetView {
  const evaluator = createEvaluator(ruleset, { idLists, now, sha256 });
  const origin: RelayedOrigin = { project: NO_PROJECT, time: ruleset.time, defaultEnvironment: ruleset.defaultEnvironment, reach };
  return { ...toView({ ruleset, evaluator, origin, changedAt, checksum }), v1: sendable(() => [Buffer.from(text)]) };
}

/** The same view with another time, since only other parts of the project changed. */
export function withTime(view: RulesetView, time: number, changedAt: number): RulesetView {
  const { evaluator, checksum } = view;
  return toView({ ruleset: { ...view.ruleset, time }, evaluator, origin: { ...view.origin, time }, changedAt, checksum });
}
