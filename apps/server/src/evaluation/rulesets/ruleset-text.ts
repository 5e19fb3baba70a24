import { hash } from "node:crypto";
import type { Spec } from "@gatehouse/evaluation";
import { checksum } from "../checksum.ts";
import type { CompiledRuleset } from "../compile/compiled-ruleset.ts";
import { memoize } from "../compile/memoize.ts";
import type { Chunk, OrderedChunks } from "../compile/ordered-chunks.ts";
import { toExperimentLayers, toV2 } from "../compile/ruleset-v2.ts";

/** A checksum of everything that determines evaluations, and only of that. Equal on every replica. Hashes of chunks are cached. */
export function computeChecksum(ruleset: CompiledRuleset, lists: readonly string[]): string {
  const { gates, configs, layers, experimentsOnLayers, idLists, paramStores, prompts, defaultEnvironment } = ruleset;
  const parts = [gates.ordered, configs.ordered, layers.ordered, experimentsOnLayers, paramStores, prompts];
  return checksum(
    JSON.stringify([parts.map(({ chunks }) => chunks.map((chunk) => hashOfChunk(chunk)).join("")), idLists, lists, defaultEnvironment]),
  );
}

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
    feature_gates: list(ruleset.gates.ordered, itemsOfSpecs),
    dynamic_configs: list(ruleset.configs.ordered, itemsOfSpecs),
    layer_configs: list(ruleset.layers.ordered, itemsOfSpecs),
    layers: map(ruleset.experimentsOnLayers, toMembers),
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
    feature_gates: map(ruleset.gates.ordered, members),
    dynamic_configs: map(ruleset.configs.ordered, members),
    layer_configs: map(ruleset.layers.ordered, members),
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
    param_stores: map(paramStores, toMembers),
    prompt_configs: map(prompts, toMembers),
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

const hoisted = memoize(({ values }: Chunk<Spec>): { members: Buffer; conditions: Map<string, string> } => {
  const conditions = new Map<string, string>();
  const members = values.map((spec) => {
    const inV2 = toV2(spec);
    for (const [id, condition] of inV2.conditions) conditions.set(id, JSON.stringify(condition));
    return `,${member(spec.name ?? "", JSON.stringify(inV2.spec))}`;
  });
  return { members: text(members.join("")), conditions };
});

function list<V>(entries: OrderedChunks<V>, write: Write<V>): Buffer[] {
  return [text("["), ...withoutFirstComma(entries, write), text("]")];
}

function map<V>(entries: OrderedChunks<V>, write: Write<V>): Buffer[] {
  return [text("{"), ...withoutFirstComma(entries, write), text("}")];
}

function withoutFirstComma<V>({ chunks }: OrderedChunks<V>, write: Write<V>): Buffer[] {
  return chunks.map((chunk, index) => (index === 0 ? write(chunk).subarray(1) : write(chunk)));
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
