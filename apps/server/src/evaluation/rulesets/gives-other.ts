import { isDeepStrictEqual } from "node:util";
import type { Spec } from "@gatehouse/evaluation";
import type { CompiledRuleset } from "../compile/compiled-ruleset.ts";
import type { OrderedChunks } from "../compile/ordered-chunks.ts";

const SPECS = ["gates", "configs", "layers"] as const;
const OTHERS = ["experimentsOnLayers", "paramStores", "prompts"] as const;

/** Whether users may get other values from one ruleset than from the other. Compares only the chunks that the two do not share. */
export function givesOther(before: CompiledRuleset, after: CompiledRuleset): boolean {
  if (before.defaultEnvironment !== after.defaultEnvironment) return true;
  return (
    SPECS.some((kind) => differ(before[kind].ordered, after[kind].ordered, effective)) ||
    OTHERS.some((kind) => differ<unknown>(before[kind], after[kind], (value) => value))
  );
}

/** @param meaning of a value; undefined if it means the same as no value */
function differ<V>(before: OrderedChunks<V>, after: OrderedChunks<V>, meaning: (value: V) => unknown): boolean {
  if (before === after) return false;
  const [own, other] = [unshared(before, after), unshared(after, before)];
  return [...new Set([...own.keys(), ...other.keys()])].some((key) => {
    const [one, another] = [own.get(key), other.get(key)];
    return one !== another && !isDeepStrictEqual(one && meaning(one), another && meaning(another));
  });
}

/** The entries in chunks that the other list does not have. */
function unshared<V>(list: OrderedChunks<V>, other: OrderedChunks<V>): Map<string, V> {
  const shared = new Set(other.chunks);
  return new Map(
    list.chunks.filter((chunk) => !shared.has(chunk)).flatMap(({ keys, values }) => keys.map((key, index) => [key, values[index] as V])),
  );
}

/** The parts of a spec that decide values. Undefined if everyone gets what applications get for a missing spec. */
function effective({ version: _, name, rules, enabled, defaultValue, ...rest }: Spec): unknown {
  const reached = enabled ? reachable(rules) : [];
  if (reached.some(givesValue)) return { ...rest, name, rules: reached, defaultValue };
  return isMissingValue(defaultValue) ? undefined : { name, defaultValue };
}

/** The rules up to the first that everyone passes. */
function reachable(rules: Spec["rules"]): Spec["rules"] {
  const last = rules.findIndex((rule) => rule.passPercentage === 100 && rule.conditions.every(({ type }) => type === "public"));
  return last === -1 ? rules : rules.slice(0, last + 1);
}

function givesValue({ passPercentage, returnValue, configDelegate, groupName }: Spec["rules"][number]): boolean {
  return passPercentage > 0 && (!isMissingValue(returnValue) || Boolean(configDelegate) || Boolean(groupName));
}

function isMissingValue(value: unknown): boolean {
  return value === false || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}
