export type TokenKind = "{" | "}" | "[" | "]" | ":" | "," | "string" | "number" | "word" | "line comment" | "block comment" | "bad" | "end";

/** A token of JSON5 from `from`, up to but not including `to`. `fault` explains in plain words why it is invalid. */
export type Token = { kind: TokenKind; from: number; to: number; fault?: string };

const SPACE = /[\s\ufeff]*/y;
const LINE_COMMENT = /\/\/[^\r\n\u2028\u2029]*/y;
const NUMBER = /[+-]?(?:0[xX][0-9a-fA-F]+|(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|Infinity|NaN)/y;
const WORD = /(?:[$_\p{ID_Start}]|\\u[0-9a-fA-F]{4})(?:[$_\p{ID_Continue}]|\u200c|\u200d|\\u[0-9a-fA-F]{4})*/uy;
/** Characters that read as one word or number. */
const RUN = /[^\s\ufeff{}[\]:,"'/]+/y;
const STRING_PART: Record<string, RegExp> = { '"': /[^"\\\r\n]*/y, "'": /[^'\\\r\n]*/y };
/** The characters that may follow a backslash in a string. */
const ESCAPE = /u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|0(?![0-9])|\r\n|[^ux0-9]/uy;
const IDENTIFIER = /^[$_\p{ID_Start}](?:[$_\p{ID_Continue}]|\u200c|\u200d)*$/u;

/** The token that begins at `start` or after the white space there. The last one is `end`. Accepts any text. */
export function tokenAt(text: string, start: number): Token {
  const from = afterSpace(text, start);
  const first = text[from];
  switch (first) {
    case undefined:
      return { kind: "end", from, to: from };
    case "{":
    case "}":
    case "[":
    case "]":
    case ":":
    case ",":
      return { kind: first, from, to: from + 1 };
    case '"':
    case "'":
      return stringAt(text, from, first);
    case "/":
      return commentAt(text, from);
    default:
      return isNumeric(first.charCodeAt(0)) ? numberAt(text, from) : wordAt(text, from);
  }
}

export const isComment = ({ kind }: Token): boolean => kind === "line comment" || kind === "block comment";

/** All tokens of a text with its comments, without `end`. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let token = tokenAt(text, 0); token.kind !== "end"; token = tokenAt(text, token.to)) tokens.push(token);
  return tokens;
}

/** Digits, signs and the decimal point. */
const isNumeric = (code: number): boolean => (code >= 48 && code <= 57) || code === 43 || code === 45 || code === 46;

function stringAt(text: string, from: number, quote: string): Token {
  const part = STRING_PART[quote] ?? RUN;
  let at = from + 1;
  let fault: string | undefined;
  for (;;) {
    at = matchEnd(part, text, at) ?? at;
    if (text[at] === quote) return { kind: "string", from, to: at + 1, ...(fault !== undefined && { fault }) };
    if (text[at] !== "\\" || at + 1 === text.length) {
      return { kind: "string", from, to: at, fault: `This text has no closing quote ${quote}.` };
    }
    const escaped = matchEnd(ESCAPE, text, at + 1);
    if (escaped === null) fault ??= `"${text.slice(at, at + 2)}" begins an escape that is not complete. For a backslash, write "\\\\".`;
    at = escaped ?? at + 2;
  }
}

function commentAt(text: string, from: number): Token {
  const lineEnd = matchEnd(LINE_COMMENT, text, from);
  if (lineEnd !== null) return { kind: "line comment", from, to: lineEnd };
  if (text[from + 1] !== "*") return { kind: "bad", from, to: from + 1, fault: 'A comment begins with "//" or "/*".' };
  const end = text.indexOf("*/", from + 2);
  if (end === -1) return { kind: "block comment", from, to: text.length, fault: 'This comment has no closing "*/".' };
  return { kind: "block comment", from, to: end + 2 };
}

function numberAt(text: string, from: number): Token {
  const run = matchEnd(RUN, text, from) ?? from + 1;
  const to = matchEnd(NUMBER, text, from);
  return to === run ? { kind: "number", from, to } : { kind: "bad", from, to: run, fault: `"${text.slice(from, run)}" is not a number.` };
}

function wordAt(text: string, from: number): Token {
  const plain = afterPlainWord(text, from);
  if (plain > from && isEnd(text.charCodeAt(plain))) return { kind: "word", from, to: plain };
  const run = Math.max(matchEnd(RUN, text, from) ?? 0, from + 1);
  const to = matchEnd(WORD, text, from);
  if (to === run && IDENTIFIER.test(decodedWord(text.slice(from, to)))) return { kind: "word", from, to };
  return { kind: "bad", from, to: run, fault: `"${text.slice(from, run)}" must be in quotes.` };
}

// Most of a text is ASCII. Other characters are left to the patterns.

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE_CODE, LAST_ASCII] = [9, 10, 13, 32, 127];

function afterSpace(text: string, start: number): number {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === SPACE_CODE || code === LINE_FEED || code === TAB || code === CARRIAGE_RETURN) at += 1;
    else return code > SPACE_CODE && code <= LAST_ASCII ? at : (matchEnd(SPACE, text, at) ?? at);
  }
}

function afterPlainWord(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 36 || code === 95;
    if (!isLetter && !(code >= 48 && code <= 57 && at > from)) return at;
    at += 1;
  }
}

/** Whether a word or number ends before the character: white space of ASCII, punctuation, a quote or a comment. */
const isEnd = (code: number): boolean =>
  code === SPACE_CODE || code === LINE_FEED || code === TAB || code === CARRIAGE_RETURN || "{}[]:,\"'/".includes(String.fromCharCode(code));

function matchEnd(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** The name that a word without quotes stands for. */
export const decodedWord = (word: string): string =>
  word.includes("\\") ? word.replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))) : word;

const ESCAPED: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", 0: "\0" };
const ESCAPES = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|[\s\S]))/g;

/** The text that a string with its quotes stands for. */
export function decodedString(string: string): string {
  const inner = string.slice(1, -1);
  if (!inner.includes("\\")) return inner;
  return inner.replace(ESCAPES, (_, unicode?: string, byte?: string, other = "") => {
    const code = unicode ?? byte;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return /^[\r\n\u2028\u2029]/.test(other) ? "" : (ESCAPED[other] ?? other);
  });
}

/** The number that a number or the word of one stands for. */
export function decodedNumber(number: string): number {
  const sign = number.startsWith("-") ? -1 : 1;
  return sign * Number(number.replace(/^[+-]/, ""));
}
