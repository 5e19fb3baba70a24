/** Replaces the characters from `from`, up to but not including `to`. */
export type TextChange = { from: number; to: number; insert: string };

/** The smallest single change from one text to another. Null if they are equal. */
export function changeBetween(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

/** Makes changes whose places are all of the text as it was, and which do not overlap. */
export function changed(text: string, changes: readonly TextChange[]): string {
  let result = text;
  for (const { from, to, insert } of changes.toSorted((one, other) => other.from - one.from || other.to - one.to)) {
    result = result.slice(0, from) + insert + result.slice(to);
  }
  return result;
}
