/** The most steps that a search may take, some ten milliseconds. */
const MAX_STEPS = 1e7;

/** One token of a pattern: an escape, a character class, the beginning of a group, a quantifier, or any other character. */
const TOKEN = /\\k<|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<?[=!]|:|<[^>]*>))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/g;
const REPEATS = /^(?:[*+]|\{\d+,\d*\})/;

/** In a text of n characters: at most `2 ** choices * n ** repeats` steps. */
type Steps = { repeats: number; choices: number; inside: number };

/**
 * The longest text that a pattern can be searched in by trying one way after another, before that could take too long. Each repetition that
 * follows another may take every length that the other leaves, and each choice doubles the ways. A look-around is left as soon as it is
 * decided. 0 for a pattern that repeats a group: that may take exponential time.
 *
 * Kept libraries do not answer this question. `safe-regex2` 5 passes patterns that take exponential time, such as `(a|aa)+`; `redos-detector` 6
 * rejects named groups and takes seconds; `recheck` 4 takes seconds too, and 5 MB in a browser. None says up to which length a text is safe.
 * `evil-patterns.test.ts` proves this estimate on published attacks.
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
