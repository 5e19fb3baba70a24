import type { Spec } from "@gatehouse/evaluation";
import type { CompiledRuleset } from "../compile/compiled-ruleset.ts";
import { memoize } from "../compile/memoize.ts";
import type { Chunk } from "../compile/ordered-chunks.ts";

/** Whether evaluations depend only on the ruleset and the user, regardless of the current time. */
export function isTimeIndependent({ gates, configs, layers }: Pick<CompiledRuleset, "gates" | "configs" | "layers">): boolean {
  return [gates, configs, layers].every(({ ordered }) => ordered.chunks.every((chunk) => isTimeIndependentChunk(chunk)));
}

const isTimeIndependentChunk = memoize(({ values }: Chunk<Spec>): boolean => values.every(isTimeIndependentSpec));

function isTimeIndependentSpec({ rules }: Spec): boolean {
  return !rules.some(({ conditions }) => conditions.some(({ type }) => type === "current_time"));
}
