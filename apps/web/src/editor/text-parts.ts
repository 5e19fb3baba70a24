import { isComment, type Token, tokenAt } from "./json5-tokens.ts";
import type { TextChange } from "./text-change.ts";

// Changes of the parts between brackets: the members of an object, or the items of a list.

export type Range = { from: number; to: number };

const INDENT = "  ";

/** Adds a part at the end. @param root the object or the list, with its brackets */
export function insertion(text: string, root: Range, parts: readonly Range[], written: string): TextChange[] {
  const last = parts.at(-1);
  return last === undefined ? firstPart(text, root, written) : nextPart(text, root, last, written);
}

function firstPart(text: string, root: Range, written: string): TextChange[] {
  const close = root.to - 1;
  const inner = text.slice(root.from + 1, close);
  if (inner.trim() === "") return [{ from: root.from + 1, to: close, insert: ` ${written} ` }];
  const outer = indentAt(text, root.from);
  return [{ from: root.from + 1 + inner.trimEnd().length, to: close, insert: `\n${outer}${INDENT}${written}\n${outer}` }];
}

function nextPart(text: string, root: Range, last: Range, written: string): TextChange[] {
  const comma = commaAfter(text, last);
  const isOnOneLine = !text.slice(root.from, root.to).includes("\n");
  if (isOnOneLine) {
    if (comma === null) return [{ from: last.to, to: last.to, insert: `, ${written}` }];
    return [{ from: comma.to, to: comma.to, insert: ` ${written},` }];
  }
  const end = endOfLineComments(text, comma?.to ?? last.to);
  const line = `\n${startsLine(text, last.from) ? indentAt(text, last.from) : `${indentAt(text, root.from)}${INDENT}`}${written}`;
  if (comma !== null) return [{ from: end, to: end, insert: `${line},` }];
  if (end === last.to) return [{ from: end, to: end, insert: `,${line}` }];
  return [
    { from: last.to, to: last.to, insert: "," },
    { from: end, to: end, insert: line },
  ];
}

/** Removes a part with its comma, and the line that is empty then. Comments stay. */
export function removal(text: string, parts: readonly Range[], part: Range): TextChange[] {
  const comma = commaAfter(text, part);
  const previous = parts[parts.indexOf(part) - 1];
  const previousComma = comma === null && previous !== undefined ? commaAfter(text, previous) : null;
  const changes = [part, comma, previousComma].filter((range) => range !== null).map(({ from, to }) => ({ from, to, insert: "" }));
  return [...changes, ...emptied(text, part, comma)];
}

/** The white space that is left over where a part was. */
function emptied(text: string, part: Range, comma: Token | null): TextChange[] {
  const end = comma?.to ?? part.to;
  const isCommaNext = comma === null || text.slice(part.to, comma.from).trim() === "";
  const before = /[ \t]*$/.exec(text.slice(0, part.from))?.[0].length ?? 0;
  const after = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  const changes: TextChange[] = [];
  if (comma !== null && isCommaNext && comma.from > part.to) changes.push({ from: part.to, to: comma.from, insert: "" });
  const lineEnd = /^\r?\n/.exec(text.slice(end + after))?.[0].length ?? 0;
  if (startsLine(text, part.from) && lineEnd > 0 && isCommaNext) {
    return [...changes, { from: part.from - before, to: part.from, insert: "" }, { from: end, to: end + after + lineEnd, insert: "" }];
  }
  if (comma !== null) return [...changes, { from: end, to: end + after, insert: "" }];
  return startsLine(text, part.from) ? changes : [...changes, { from: part.from - before, to: part.from, insert: "" }];
}

function commaAfter(text: string, { to }: { to: number }): Token | null {
  let token = tokenAt(text, to);
  while (isComment(token)) token = tokenAt(text, token.to);
  return token.kind === "," ? token : null;
}

/** The end of the comments that follow on the same line. */
function endOfLineComments(text: string, start: number): number {
  let end = start;
  for (let token = tokenAt(text, start); isComment(token) && !text.slice(end, token.from).includes("\n"); token = tokenAt(text, end)) {
    end = token.to;
  }
  return end;
}

function startsLine(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at).trim() === "" && at > 0 && text.lastIndexOf("\n", at - 1) !== -1;
}

const indentAt = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))?.[0] ?? "";
