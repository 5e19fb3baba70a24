import { hash } from "node:crypto";
import type { Spec } from "@gatehouse/evaluation";
import { checksum } from "../checksum.ts";
import type { CompiledRuleset } from "../compile/compiled-ruleset.ts";
import { memoize } from "../compile/memoize.ts";
import { type Chunk, OrderedChunks } from "../compile/ordered-chunks.ts";
import type { CompiledPrompt } from "../compile/prompt-entry.ts";
import { toExperimentLayers, toV2 } from "../compile/ruleset-v2.ts";

/** A checksum of everything that determines evaluations, and only of that. Equal on every replica. Hashes of chunks are cached. */
export function computeChecksum(ruleset: CompiledRuleset, lists: readonly string[]): string {
  const { gates, configs, layers, experimentsOnLayers, idLists, paramStores, prompts, defaultEnvironment } = ruleset;
  const parts = [gates.ordered, configs.ordered, layers.ordered, experimentsOnLayers, paramStores, prompts];
  return checksum(
    JSON.stringify([parts.map(({ chunks }) => chunks.map((chunk) => hashOfChunk(chunk)).join("")), idLists, lists, defaultEnvironment]),
  );
}

/** The ruleset for keys that may not read prompts. */
export function withoutPrompts(ruleset: CompiledRuleset): CompiledRuleset {
  return { ...ruleset, prompts: NO_PROMPTS };
}

const NO_PROMPTS = new OrderedChunks<CompiledPrompt>();

const hashOfChunk = memoize(({ keys, values }: Chunk<object>): string =>
  sha256(JSON.stringify([keys, values.map((value) => hashOfValue(value))])),
);

const hashOfValue = memoize((value: object): string => sha256(JSON.stringify(value)));

function sha256(text: string): string {
  return hash("sha256", text, "base64url");
}

/** The JSON of the ruleset in the v1 shape of `download_config_specs`, in pieces. */
export function v1Text(ruleset: CompiledRuleset, sum: string): Buffer[] {
  return objectText({
    ...firstMembers(ruleset),
    feature_gates: list(part(ruleset.gates.ordered, itemsOfSpecs)),
    dynamic_configs: list(part(ruleset.configs.ordered, itemsOfSpecs), part(ruleset.prompts, itemsOfPrompts)),
    layer_configs: list(part(ruleset.layers.ordered, itemsOfSpecs)),
    layers: map(part(ruleset.experimentsOnLayers, toMembers)),
    ...lastMembers(ruleset, sum),
  });
}

/** The JSON of the ruleset in the v2 shape, in pieces. */
export function v2Text(ruleset: CompiledRuleset, sum: string): Buffer[] {
  const conditions = new Map<string, string>();
  for (const { ordered } of [ruleset.gates, ruleset.configs, ruleset.layers]) {
    for (const chunk of ordered.chunks) for (const [id, text] of hoisted(chunk).conditions) conditions.set(id, text);
  }
  const members = (chunk: Chunk<Spec>) => hoisted(chunk).members;
  return objectText({
    ...firstMembers(ruleset),
    response_format: [text(JSON.stringify("dcs-v2"))],
    feature_gates: map(part(ruleset.gates.ordered, members)),
    dynamic_configs: map(part(ruleset.configs.ordered, members), part(ruleset.prompts, configsOfPrompts)),
    layer_configs: map(part(ruleset.layers.ordered, members)),
    condition_map: [text(`{${Array.from(conditions, ([id, condition]) => member(id, condition)).join()}}`)],
    experiment_to_layer: [text(JSON.stringify(Object.fromEntries(toExperimentLayers(ruleset.experimentsOnLayers.entries()))))],
    ...lastMembers(ruleset, sum),
  });
}

type Members = Record<string, Buffer[]>;

function firstMembers({ time }: CompiledRuleset): Members {
  return { has_updates: [text("true")], time: [text(String(time))] };
}

function lastMembers({ idLists, paramStores, prompts, defaultEnvironment }: CompiledRuleset, sum: string): Members {
  return {
    id_lists: [text(JSON.stringify(Object.fromEntries(idLists.map((name) => [name, true]))))],
    param_stores: map(part(paramStores, toMembers), part(prompts, storesOfPrompts)),
    prompt_configs: map(part(prompts, entriesOfPrompts)),
    default_environment: [text(JSON.stringify(defaultEnvironment))],
    checksum: [text(JSON.stringify(sum))],
  };
}

/** Serializes the entries of a chunk for a list or an object, each after a comma. Memoized by chunk. */
type Write<V> = (chunk: Chunk<V>) => Buffer;

const itemsOfSpecs = memoize(({ values }: Chunk<Spec>): Buffer => text(values.map((spec) => `,${JSON.stringify(spec)}`).join("")));

const toMembers = memoize(
  ({ keys, values }: Chunk<object>): Buffer => text(keys.map((key, index) => `,${member(key, JSON.stringify(values[index]))}`).join("")),
);

const itemsOfPrompts = memoize(
  ({ values }: Chunk<CompiledPrompt>): Buffer =>
    text(
      specsIn(values)
        .map((spec) => `,${JSON.stringify(spec)}`)
        .join(""),
    ),
);

/** Specs of prompts have no rules, so they need no conditions in the v2 shape. */
const configsOfPrompts = memoize(({ values }: Chunk<CompiledPrompt>): Buffer => {
  const members = specsIn(values).map((spec) => `,${member(spec.name ?? "", JSON.stringify(toV2(spec).spec))}`);
  return text(members.join(""));
});

const storesOfPrompts = memoize(
  ({ values }: Chunk<CompiledPrompt>): Buffer => text(values.map(({ name, store }) => `,${member(name, JSON.stringify(store))}`).join("")),
);

const entriesOfPrompts = memoize(
  ({ keys, values }: Chunk<CompiledPrompt>): Buffer =>
    text(values.map(({ config }, index) => `,${member(keys[index] as string, JSON.stringify(config))}`).join("")),
);

const specsIn = (prompts: readonly CompiledPrompt[]) => prompts.flatMap(({ specs }) => specs);

const hoisted = memoize(({ values }: Chunk<Spec>): { members: Buffer; conditions: Map<string, string> } => {
  const conditions = new Map<string, string>();
  const members = values.map((spec) => {
    const inV2 = toV2(spec);
    for (const [id, condition] of inV2.conditions) conditions.set(id, JSON.stringify(condition));
    return `,${member(spec.name ?? "", JSON.stringify(inV2.spec))}`;
  });
  return { members: text(members.join("")), conditions };
});

function list(...parts: Buffer[][]): Buffer[] {
  return [text("["), ...withoutFirstComma(parts.flat()), text("]")];
}

function map(...parts: Buffer[][]): Buffer[] {
  return [text("{"), ...withoutFirstComma(parts.flat()), text("}")];
}

/** The pieces of some entries, one for each chunk. */
function part<V>({ chunks }: OrderedChunks<V>, write: Write<V>): Buffer[] {
  return chunks.map((chunk) => write(chunk));
}

/** A chunk of prompts without versions has an empty piece. */
function withoutFirstComma(pieces: Buffer[]): Buffer[] {
  const [first, ...others] = pieces.filter(({ length }) => length > 0);
  return first ? [first.subarray(1), ...others] : [];
}

function objectText(members: Members): Buffer[] {
  const named = Object.entries(members).flatMap(([name, pieces], index) => [
    text(`${index === 0 ? "{" : ","}${JSON.stringify(name)}:`),
    ...pieces,
  ]);
  return [...named, text("}")];
}

function member(name: string, json: string): string {
  return `${JSON.stringify(name)}:${json}`;
}

function text(given: string): Buffer {
  return Buffer.from(given);
}
