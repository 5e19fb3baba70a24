import type { Spec } from "@gatehouse/evaluation";
import type { CompiledRuleset } from "../compile/compiled-ruleset.ts";
import { memoize } from "../compile/memoize.ts";
import type { Chunk } from "../compile/ordered-chunks.ts";

/** Whether the answers of a ruleset stay the same as long as the ruleset does: those that look at the time do not. */
export function isLasting({ gates, configs, layers }: Pick<CompiledRuleset, "gates" | "configs" | "layers">): boolean {
  return [gates, configs, layers].every(({ ordered }) => ordered.chunks.every((chunk) => isLastingChunk(chunk)));
}

const isLastingChunk = memoize(({ values }: Chunk<Spec>): boolean => values.every(isLastingSpec));

function isLastingSpec({ rules }: Spec): boolean {
  return !rules.some(({ conditions }) => conditions.some(({ type }) => type === "current_time"));
}
