import { isComment, type Token, tokenAt } from "./json5-tokens.ts";
import { findMember, type Member, type ObjectNode, parseJson5 } from "./json5-tree.ts";
import { changed, type TextChange } from "./text-change.ts";

export type Scalar = string | number | boolean | null;

const IDENTIFIER = /^[$_a-zA-Z][$_a-zA-Z0-9]*$/;
const INDENT = "  ";

/**
 * Sets a key of the object that a text is. Only its value changes, or a member is added at the end: comments and spelling stay. If the text
 * is not an object, or the value is already set, the text stays as it is.
 */
export function withField(text: string, key: string, value: Scalar): string {
  const root = parseObject(text);
  if (root === null) return text;
  const member = findMember(root, key);
  if (member === undefined) return changed(text, addition(text, root, key, value));
  const { value: node } = member;
  if (node.kind !== "object" && node.kind !== "array" && Object.is(node.value, value)) return text;
  const quote = node.kind === "string" ? text[node.from] : undefined;
  return changed(text, [{ from: node.from, to: node.to, insert: literal(value, quote) }]);
}

/** Removes a key of the object that a text is, with its comma and a line that is empty then. Comments stay. */
export function withoutField(text: string, key: string): string {
  let result = text;
  // A key may be there more than once.
  for (;;) {
    const root = parseObject(result);
    const member = root === null ? undefined : findMember(root, key);
    if (root === null || member === undefined) return result;
    result = changed(result, removal(result, root, member));
  }
}

function parseObject(text: string): ObjectNode | null {
  const { root } = parseJson5(text);
  return root?.kind === "object" ? root : null;
}

function literal(value: Scalar, quote: string | undefined): string {
  if (typeof value !== "string") return String(value);
  const written = JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  return quote === "'" ? `'${written.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : written;
}

function addition(text: string, root: ObjectNode, key: string, value: Scalar): TextChange[] {
  const areQuoted = root.members.length > 0 && root.members.every(({ keyRange }) => /["']/.test(text[keyRange.from] ?? ""));
  const member = `${IDENTIFIER.test(key) && !areQuoted ? key : literal(key, '"')}: ${literal(value, undefined)}`;
  const last = root.members.at(-1);
  return last === undefined ? firstMember(text, root, member) : nextMember(text, root, last, member);
}

function firstMember(text: string, root: ObjectNode, member: string): TextChange[] {
  const close = root.to - 1;
  const inner = text.slice(root.from + 1, close);
  if (inner.trim() === "") return [{ from: root.from + 1, to: close, insert: ` ${member} ` }];
  const outer = indentAt(text, root.from);
  return [{ from: root.from + 1 + inner.trimEnd().length, to: close, insert: `\n${outer}${INDENT}${member}\n${outer}` }];
}

function nextMember(text: string, root: ObjectNode, last: Member, member: string): TextChange[] {
  const comma = commaAfter(text, last);
  const isOnOneLine = !text.slice(root.from, root.to).includes("\n");
  if (isOnOneLine) {
    if (comma === null) return [{ from: last.to, to: last.to, insert: `, ${member}` }];
    return [{ from: comma.to, to: comma.to, insert: ` ${member},` }];
  }
  const end = endOfLineComments(text, comma?.to ?? last.to);
  const line = `\n${startsLine(text, last.from) ? indentAt(text, last.from) : `${indentAt(text, root.from)}${INDENT}`}${member}`;
  if (comma !== null) return [{ from: end, to: end, insert: `${line},` }];
  if (end === last.to) return [{ from: end, to: end, insert: `,${line}` }];
  return [
    { from: last.to, to: last.to, insert: "," },
    { from: end, to: end, insert: line },
  ];
}

function removal(text: string, root: ObjectNode, member: Member): TextChange[] {
  const comma = commaAfter(text, member);
  const previous = root.members[root.members.indexOf(member) - 1];
  const previousComma = comma === null && previous !== undefined ? commaAfter(text, previous) : null;
  const changes = [member, comma, previousComma].filter((range) => range !== null).map(({ from, to }) => ({ from, to, insert: "" }));
  return [...changes, ...emptied(text, member, comma)];
}

/** The white space that is left over where a member was. */
function emptied(text: string, member: Member, comma: Token | null): TextChange[] {
  const end = comma?.to ?? member.to;
  const isCommaNext = comma === null || text.slice(member.to, comma.from).trim() === "";
  const before = /[ \t]*$/.exec(text.slice(0, member.from))?.[0].length ?? 0;
  const after = /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  const changes: TextChange[] = [];
  if (comma !== null && isCommaNext && comma.from > member.to) changes.push({ from: member.to, to: comma.from, insert: "" });
  const lineEnd = /^\r?\n/.exec(text.slice(end + after))?.[0].length ?? 0;
  if (startsLine(text, member.from) && lineEnd > 0 && isCommaNext) {
    return [...changes, { from: member.from - before, to: member.from, insert: "" }, { from: end, to: end + after + lineEnd, insert: "" }];
  }
  if (comma !== null) return [...changes, { from: end, to: end + after, insert: "" }];
  return startsLine(text, member.from) ? changes : [...changes, { from: member.from - before, to: member.from, insert: "" }];
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
