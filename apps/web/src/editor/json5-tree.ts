import { decodedNumber, decodedString, decodedWord, isComment, type Token, type TokenKind, tokenAt } from "./json5-tokens.ts";

/** A range of the text, without `to`, and its fault in plain words. A range from 0 to 0 means that the fault has no place in the text. */
export type Fault = {
  from: number;
  to: number;
  message: string;
  severity: "error" | "warning";
  /** The key that the object of the whole text lacks. */
  missing?: string;
};

/** Whether a fault is of a part of the text. Others are of the check itself. */
export const hasPlace = ({ from, to }: Fault): boolean => from > 0 || to > 0;

type Range = { from: number; to: number };
export type Member = Range & { key: string; keyRange: Range; value: Node };
export type ObjectNode = Range & { kind: "object"; members: Member[] };
export type ArrayNode = Range & { kind: "array"; items: Node[] };
type ScalarNode = Range & { kind: "string" | "number" | "boolean" | "null"; value: string | number | boolean | null };
export type Node = ObjectNode | ArrayNode | ScalarNode;

/** The value of a text with the place of each part, or the first fault of its syntax. */
export type Tree = { root: Node; fault?: undefined } | { root?: undefined; fault: Fault };

/** The server accepts no deeper objects. */
const MAX_DEPTH = 90;

const MAX_QUOTED_LENGTH = 40;

/** Parses JSON5. It accepts the same texts as the server's parser. */
export function parseJson5(text: string): Tree {
  let token: Token = { kind: "end", from: 0, to: 0 };

  try {
    take();
    const root = readValue(0);
    if (!is("end")) throw at(token, "Unexpected text after the value. Check for a bracket that’s closed too early.");
    return { root };
  } catch (error) {
    if (error instanceof SyntaxFault) return { fault: error.fault };
    throw error;
  }

  function next(from: number): Token {
    let found = tokenAt(text, from);
    while (isComment(found) && found.fault === undefined) found = tokenAt(text, found.to);
    if (found.fault !== undefined && found.kind !== "bad") throw at(found, found.fault);
    return found;
  }

  function take(): Token {
    const taken = token;
    token = next(token.to);
    return taken;
  }

  function is(kind: TokenKind): boolean {
    return token.kind === kind;
  }

  function readValue(depth: number): Node {
    const { kind, from, to } = token;
    switch (kind) {
      case "{":
        return readObject(depth);
      case "[":
        return readArray(depth);
      case "string":
        take();
        return { kind: "string", from, to, value: decodedString(text.slice(from, to)) };
      case "number":
        take();
        return { kind: "number", from, to, value: decodedNumber(text.slice(from, to)) };
      case "word":
        return readWord();
      case "bad":
        throw at(token, token.fault ?? "This isn’t a valid value.");
      case "end":
        throw at(token, text.trim() === "" ? "The text is empty." : "A value is missing at the end.");
      default:
        throw at(token, `A value is missing before "${kind}".`);
    }
  }

  function readWord(): ScalarNode {
    const { from, to } = token;
    const word = text.slice(from, to);
    const scalar = WORDS.get(word);
    if (scalar !== undefined) {
      take();
      return { ...scalar, from, to };
    }
    const meant = MEANT.get(word.toLowerCase());
    throw at(token, meant ? `"${quoted(word)}" is not a value. Is "${meant}" meant?` : `Put "${quoted(word)}" in quotes.`);
  }

  function readObject(depth: number): ObjectNode {
    const open = opened(depth);
    const members: Member[] = [];
    while (!is("}")) {
      const key = readKey(open);
      if (!is(":")) throw at(token, `A ":" is missing after the key "${quoted(key.key)}".`);
      take();
      const value = readValue(depth + 1);
      members.push({ ...key, from: key.keyRange.from, to: value.to, value });
      if (is(",")) take();
      else if (!is("}")) throw unclosed(open, "}");
    }
    return { kind: "object", from: open.from, to: take().to, members };
  }

  function readKey(open: Token): { key: string; keyRange: Range } {
    const { kind, from, to } = token;
    if (kind !== "string" && kind !== "word") {
      if (kind === "end") throw unclosed(open, "}");
      if (kind === ",") throw at(token, "Remove the extra comma.");
      if (kind === "number" || kind === "bad") throw at(token, `A key like ${quoted(text.slice(from, to))} must be in quotes.`);
      throw at(token, `A key is missing before "${kind}".`);
    }
    take();
    const written = text.slice(from, to);
    return { key: kind === "string" ? decodedString(written) : decodedWord(written), keyRange: { from, to } };
  }

  function readArray(depth: number): ArrayNode {
    const open = opened(depth);
    const items: Node[] = [];
    while (!is("]")) {
      if (is("end")) throw unclosed(open, "]");
      if (is(",")) throw at(token, "Remove the extra comma.");
      if (is("string") || is("word")) refuseKey(open);
      items.push(readValue(depth + 1));
      if (is(",")) take();
      else if (!is("]")) throw unclosed(open, "]");
    }
    return { kind: "array", from: open.from, to: take().to, items };
  }

  /** A key in a list shows that its bracket is missing. */
  function refuseKey(open: Token): void {
    if (next(token.to).kind === ":") throw at(token, `The "[" of line ${lineNumber(open)} is not closed.`);
  }

  function opened(depth: number): Token {
    if (depth === MAX_DEPTH) throw at(token, `Values can’t be nested more than ${MAX_DEPTH} levels deep.`);
    return take();
  }

  function lineNumber({ from }: Token): number {
    return text.slice(0, from).split("\n").length;
  }

  /** Something stands where an object or array should go on or end. */
  function unclosed(open: Token, close: "}" | "]"): SyntaxFault {
    if (token.kind === "end") return at(token, `The "${open.kind}" of line ${lineNumber(open)} is not closed.`);
    return at(token, `A comma or "${close}" is missing before this.`);
  }
}

const WORDS = new Map<string, Pick<ScalarNode, "kind" | "value">>([
  ["true", { kind: "boolean", value: true }],
  ["false", { kind: "boolean", value: false }],
  ["null", { kind: "null", value: null }],
  ["Infinity", { kind: "number", value: Number.POSITIVE_INFINITY }],
  ["NaN", { kind: "number", value: Number.NaN }],
]);

/** Words of other languages. */
const MEANT = new Map([
  ["true", "true"],
  ["false", "false"],
  ["null", "null"],
  ["undefined", "null"],
  ["none", "null"],
  ["nil", "null"],
]);

class SyntaxFault extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

const at = ({ from, to }: Range, message: string): SyntaxFault => new SyntaxFault({ from, to, message, severity: "error" });

const quoted = (text: string): string => (text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text);

/** The value without its places. Of equal keys, the last one counts. */
export function jsonValue(node: Node): unknown {
  if (node.kind === "array") return node.items.map(jsonValue);
  if (node.kind !== "object") return node.value;
  const value = {};
  for (const member of node.members) {
    // `__proto__` is a key as any other.
    Object.defineProperty(value, member.key, { value: jsonValue(member.value), writable: true, enumerable: true, configurable: true });
  }
  return value;
}

/** The member that counts for a key: the last one. */
export const findMember = (node: Node | undefined, key: string): Member | undefined =>
  node?.kind === "object" ? node.members.findLast((member) => member.key === key) : undefined;
