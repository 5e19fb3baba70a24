import type { Rule } from "./types.ts";

/** A rule before and after a change, with its indexes. */
export type MatchedRule = { before: Rule; after: Rule; from: number; to: number };
export type RuleMatch = {
  /** In the order after the change. */
  matched: MatchedRule[];
  added: { rule: Rule; index: number }[];
  removed: { rule: Rule; index: number }[];
};

/** Finds which rule became which, by id or else by base id. */
export function matchRules(before: readonly Rule[], after: readonly Rule[]): RuleMatch {
  const left = new Map(before.map((rule, index) => [index, rule]));
  const indexesBy = (field: "id" | "baseID") =>
    new Map(before.flatMap((rule, index) => (rule[field] ? [[rule[field], index] as const] : [])));
  const partners = new Map<number, number>();
  for (const field of ["id", "baseID"] as const) {
    const indexes = indexesBy(field);
    for (const [to, rule] of after.entries()) {
      const from = rule[field] ? indexes.get(rule[field]) : undefined;
      if (from === undefined || partners.has(to) || !left.delete(from)) continue;
      partners.set(to, from);
    }
  }
  return {
    matched: after.flatMap((rule, to) => {
      const from = partners.get(to);
      const old = from === undefined ? undefined : before[from];
      return from === undefined || old === undefined ? [] : [{ before: old, after: rule, from, to }];
    }),
    added: after.flatMap((rule, index) => (partners.has(index) ? [] : [{ rule, index }])),
    removed: [...left].map(([index, rule]) => ({ rule, index })),
  };
}

/** As few rules as possible whose moves explain the new order, in that order. */
export function movedRules(matched: readonly MatchedRule[]): MatchedRule[] {
  const inOrder = new Set(longestIncreasing(matched.map(({ from }) => from)));
  return matched.filter(({ from }) => !inOrder.has(from));
}

/** A longest increasing subsequence of distinct numbers. */
function longestIncreasing(numbers: readonly number[]): number[] {
  /** For each length, the smallest number with which a subsequence of that length ends. */
  const ends: number[] = [];
  const previous = new Map<number, number | undefined>();
  for (const number of numbers) {
    const found = ends.findIndex((end) => end > number);
    const at = found === -1 ? ends.length : found;
    previous.set(number, ends[at - 1]);
    ends[at] = number;
  }
  const longest: number[] = [];
  for (let number = ends.at(-1); number !== undefined; number = previous.get(number)) longest.unshift(number);
  return longest;
}
