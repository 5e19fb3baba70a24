// The different words of two texts. Pure.

export type DiffPart = { text: string; isDifferent: boolean };

/** Longer texts are compared line by line. In words. */
const MAX_WORDS = 1_000;
/** Texts with more lines than this are not compared. */
const MAX_LINES = 2_000;

/** Both texts in parts: those that they share, and those that only one of them has. */
export function textDiff(left: string, right: string): { left: DiffPart[]; right: DiffPart[] } {
  const words = (text: string) => text.match(/\s+|[\p{L}\p{N}_.-]+|[^\s\p{L}\p{N}_.-]/gu) ?? [];
  const lines = (text: string) => text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const [shortLeft, shortRight] = [words(left), words(right)];
  if (Math.max(shortLeft.length, shortRight.length) <= MAX_WORDS) return compared(shortLeft, shortRight);
  const [longLeft, longRight] = [lines(left), lines(right)];
  if (Math.max(longLeft.length, longRight.length) <= MAX_LINES) return compared(longLeft, longRight);
  return { left: [{ text: left, isDifferent: true }], right: [{ text: right, isDifferent: true }] };
}

function compared(left: string[], right: string[]): { left: DiffPart[]; right: DiffPart[] } {
  const shared = sharedPairs(left, right);
  return {
    left: toParts(left, new Set(shared.map(([index]) => index))),
    right: toParts(right, new Set(shared.map(([, index]) => index))),
  };
}

/** The indexes of a longest common subsequence in both lists. */
function sharedPairs(left: string[], right: string[]): [number, number][] {
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      const longest = left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
      lengths[row * width + column] = longest;
    }
  }
  const pairs: [number, number][] = [];
  let [row, column] = [0, 0];
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) pairs.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}

const isSpace = (token: string | undefined): boolean => token !== undefined && token.trim() === "";

/** Neighbors of the same sort are one part. Spaces only differ between words that do. */
function toParts(tokens: string[], shared: ReadonlySet<number>): DiffPart[] {
  const parts: DiffPart[] = [];
  for (const [index, text] of tokens.entries()) {
    const differs = (at: number) => at >= 0 && at < tokens.length && !shared.has(at);
    const isDifferent = differs(index) && (!isSpace(text) || (differs(index - 1) && differs(index + 1)));
    const last = parts.at(-1);
    if (last?.isDifferent === isDifferent) last.text += text;
    else parts.push({ text, isDifferent });
  }
  return parts;
}
