import { isComment, type Token, tokenize } from "./json5-tokens.ts";
import { parseJson5 } from "./json5-tree.ts";

const INDENT = "  ";
const MAX_WIDTH = 100;

/** A token with how many line breaks are before it. */
type Placed = Token & { breaks: number };

/**
 * Lays a text out: two spaces for each level, and one line for parts that fit there and were begun on one line. Values, quotes, comments,
 * single blank lines and trailing commas stay as they are. Null if the text has a fault.
 */
export function formatJson5(text: string): string | null {
  if (parseJson5(text).fault !== undefined) return null;
  const tokens = withEarlyCommas(placedTokens(text));
  const flat = flatTexts(tokens, text);
  const output: string[] = [];
  /** The length of the last line. */
  let column = 0;
  let depth = 0;
  /** The index of the last token that is not a comment. */
  let significant = -1;

  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) break;
    if (isClosing(token)) depth -= 1;
    const isInMember = tokens[significant]?.kind === ":" || (isComment(token) && isKey(significant));
    write(separator(index, INDENT.repeat(depth + (isInMember ? 1 : 0))));
    if (!isComment(token)) significant = index;
    const short = flat.get(index);
    if (short !== undefined && column + short.text.length <= MAX_WIDTH) {
      write(short.text);
      index = short.end;
      significant = index;
    } else {
      write(text.slice(token.from, token.to));
      if (isOpening(token)) depth += 1;
    }
  }
  return output.join("") + (text.endsWith("\n") ? "\n" : "");

  function write(part: string): void {
    output.push(part);
    const line = part.lastIndexOf("\n");
    column = line === -1 ? column + part.length : part.length - line - 1;
  }

  /** The text between a token and the one before it. */
  function separator(index: number, indent: string): string {
    const [previous, token] = [tokens[index - 1], tokens[index]];
    if (previous === undefined || token === undefined) return "";
    const mayBeBlank = token.breaks > 1 && !isOpening(previous) && !isClosing(token);
    const line = `${mayBeBlank ? "\n\n" : "\n"}${indent}`;
    if (previous.kind === "line comment") return line;
    if (isComment(token)) {
      const beginsMember = (isOpening(previous) || previous.kind === ",") && isBeforeMember(index);
      return token.breaks > 0 || beginsMember ? line : " ";
    }
    if (isClosing(token)) return line;
    if (token.kind === "," || token.kind === ":") return "";
    if (isComment(previous)) return token.breaks > 0 ? line : " ";
    return previous.kind === ":" ? " " : line;
  }

  /** Whether a comment is followed by a member or an item on its own line. */
  function isBeforeMember(index: number): boolean {
    const [token, next] = [tokens[index], tokens[index + 1]];
    if (token === undefined || next === undefined || token.kind === "line comment" || next.breaks > 0) return false;
    return isComment(next) ? isBeforeMember(index + 1) : next.kind !== "," && !isClosing(next);
  }

  function isKey(index: number): boolean {
    const kind = tokens[index]?.kind;
    if (kind !== "string" && kind !== "word") return false;
    let next = index + 1;
    while (next < tokens.length && isComment(tokens[next] ?? END)) next += 1;
    return tokens[next]?.kind === ":";
  }
}

const END: Token = { kind: "end", from: 0, to: 0 };

const isOpening = ({ kind }: Token): boolean => kind === "{" || kind === "[";
const isClosing = ({ kind }: Token): boolean => kind === "}" || kind === "]";

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/g;

function placedTokens(text: string): Placed[] {
  const tokens = tokenize(text);
  return tokens.map((token, index) => {
    const between = text.slice(tokens[index - 1]?.to ?? 0, token.from);
    const { kind, from, to } = token;
    return { kind, from, to, breaks: between.match(LINE_BREAK)?.length ?? 0 };
  });
}

/** The tokens with each comma directly after its value where comments and a line break are between the two. */
function withEarlyCommas(tokens: readonly Placed[]): Placed[] {
  const result: Placed[] = [];
  /** The start of the comments after the last value. */
  let comments = 0;
  /** Line breaks before a moved comma: they are now before the token after it. */
  let moved = 0;
  for (const token of tokens) {
    if (token.kind === "," && [...result.slice(comments), token].some(({ breaks }) => breaks > 0)) {
      result.splice(comments, 0, { ...token, breaks: 0 });
      comments = result.length;
      moved = token.breaks;
      continue;
    }
    result.push({ ...token, breaks: Math.max(token.breaks, moved) });
    moved = 0;
    if (!isComment(token)) comments = result.length;
  }
  return result;
}

type Flat = { text: string; end: number };

/** Objects and arrays that may be written on one line, by the index of their opening token. */
function flatTexts(tokens: readonly Token[], text: string): Map<number, Flat> {
  const flat = new Map<number, Flat>();
  const open: { index: number; text: string; canBeFlat: boolean }[] = [];
  for (const [index, token] of tokens.entries()) {
    const written = text.slice(token.from, token.to);
    const current = open.at(-1);
    switch (token.kind) {
      case "{":
      case "[": {
        const next = tokens[index + 1];
        const isBroken = token.kind === "{" && /[\n\r]/.test(text.slice(token.to, next?.from)) && next?.kind !== "}";
        open.push({ index, text: token.kind, canBeFlat: !isBroken });
        break;
      }
      case "}":
      case "]": {
        const closed = open.pop();
        if (closed === undefined) break;
        const inner = closed.text.slice(1).replace(/,\s*$/, "").trim();
        const whole = token.kind === "]" || inner === "" ? `${closed.text[0]}${inner}${token.kind}` : `{ ${inner} }`;
        const isFlat = closed.canBeFlat && whole.length <= MAX_WIDTH;
        if (isFlat) flat.set(closed.index, { text: whole, end: index });
        const outer = open.at(-1);
        if (outer !== undefined) {
          outer.canBeFlat &&= isFlat;
          if (outer.canBeFlat) outer.text += whole;
        }
        break;
      }
      default:
        if (current === undefined) break;
        current.canBeFlat &&= !isComment(token) && !/[\n\r]/.test(written);
        if (current.canBeFlat) current.text += token.kind === "," || token.kind === ":" ? `${written} ` : written;
    }
  }
  return flat;
}
