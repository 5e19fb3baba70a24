/** The most steps of a search, about ten milliseconds. */
const MAX_STEPS = 1e7;

/** One token of a pattern: an escape, a character class, the beginning of a group, a quantifier, or any other character. */
const TOKEN = /\\k<|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<[^>]*>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/g;
const REPEATS = /^(?:[*+]|\{\d+,\d*\})/;

/** A search in n characters takes at most `2 ** choices * n ** repeats` steps. */
type Steps = { repeats: number; choices: number; inside: number };

/**
 * The longest text that a backtracking search for a pattern handles within MAX_STEPS. Each further repetition multiplies the ways by the
 * text's length, and each choice doubles them. A look-around does not backtrack once it is decided. 0 for a pattern that repeats a group,
 * since that may take exponential time.
 *
 * Maintained libraries do not solve this. `safe-regex2` 5 accepts patterns that take exponential time, such as `(a|aa)+`; `redos-detector`
 * 6 rejects named groups and takes seconds; `recheck` 4 takes seconds too, and 5 MB in a browser. None gives the safe length of a text.
 * `evil-patterns.test.ts` tests this estimate with published attacks.
 */
export function longestText(pattern: string): number {
  const open: Steps[] = [{ repeats: 0, choices: 0, inside: 0 }];
  const isLookAround: boolean[] = [false];
  let isAnchored = pattern.startsWith("^");
  let endsGroup = false;
  for (const [token] of pattern.matchAll(TOKEN)) {
    const steps = open.at(-1) as Steps;
    const isQuantifier = /^(?:[*+?]|\{\d)/.test(token);
    if (isQuantifier && endsGroup && !token.startsWith("?")) return 0;
    if (REPEATS.test(token)) steps.repeats += 1;
    else if (token.startsWith("?") || token === "|") steps.choices += 1;
    else if (/^\\[1-9k]/.test(token)) steps.inside = Math.max(steps.inside, 1);
    if (token === "|" && open.length === 1) isAnchored = false;
    endsGroup = token === ")" && open.length > 1;
    if (endsGroup) leave(open, isLookAround.pop() === true);
    if (token.startsWith("(")) {
      open.push({ repeats: 0, choices: 0, inside: 0 });
      isLookAround.push(/[=!]$/.test(token));
    }
  }
  const { repeats, choices, inside } = open[0] as Steps;
  const power = repeats + inside + (isAnchored ? 0 : 1);
  const ways = 2 ** choices;
  return power === 0 ? (ways > MAX_STEPS ? 0 : Number.POSITIVE_INFINITY) : Math.floor((MAX_STEPS / ways) ** (1 / power));
}

function leave(open: Steps[], isLookAround: boolean): void {
  const group = open.pop() as Steps;
  const outer = open.at(-1) as Steps;
  outer.choices += group.choices;
  if (!isLookAround) outer.repeats += group.repeats;
  outer.inside = Math.max(outer.inside, group.inside + (isLookAround ? group.repeats : 0));
}
