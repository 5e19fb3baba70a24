import { decodedString, decodedWord, isComment, type Token, tokenAt } from "./json5-tokens.ts";

export type Path = readonly (string | number)[];

/** A position of the cursor in a text that may be incomplete. `from` and `to` are the range of the text typed there already. */
export type CursorPlace = { from: number; to: number } & (
  | {
      kind: "key";
      /** The way to the object. */
      path: Path;
      /** The other keys of the object. */
      keys: ReadonlySet<string>;
      /** Whether the keys before the cursor are in quotes. */
      areQuoted: boolean;
      hasColon: boolean;
    }
  | {
      kind: "value";
      /** The way to the value. */
      path: Path;
    }
);

type Frame = {
  kind: "{" | "[";
  /** The expected next token. */
  expects: "key" | "colon" | "value" | "comma";
  key: string;
  index: number;
  keys: Set<string>;
  quoted: number;
};

const PARTIAL = new Set<Token["kind"]>(["string", "number", "word", "bad"]);

/** The place of the cursor. Null in a comment, and where neither a key nor a value can be. */
export function cursorPlace(text: string, cursor: number): CursorPlace | null {
  const frames: Frame[] = [];
  let hasRoot = false;

  for (let token = tokenAt(text, 0); ; token = tokenAt(text, token.to)) {
    if (isComment(token)) {
      const ends = token.kind === "line comment" || token.fault !== undefined ? token.to + 1 : token.to;
      if (token.from < cursor && cursor < ends) return null;
      continue;
    }
    const isHere = PARTIAL.has(token.kind) && token.from < cursor && cursor <= token.to;
    if (token.kind === "end" || isHere || token.from >= cursor) return placeAt(isHere ? token : null, token);
    advance(token);
  }

  function placeAt(typed: Token | null, next: Token): CursorPlace | null {
    const { from, to } = typed ?? { from: cursor, to: cursor };
    const frame = frames.at(-1);
    if (frame === undefined) return hasRoot ? null : { kind: "value", from, to, path: [] };
    if (frame.expects === "value") return { kind: "value", from, to, path: frames.map(frameStep) };
    // A word after a value is a key whose comma is still missing.
    const isKey = frame.kind === "{" && (frame.expects === "key" || (frame.expects === "comma" && typed !== null));
    if (!isKey) return null;
    const following = typed === null ? next : tokenAt(text, typed.to);
    return {
      kind: "key",
      from,
      to,
      path: frames.slice(0, -1).map(frameStep),
      keys: new Set([...frame.keys, ...keysAfter(following)]),
      areQuoted: frame.quoted > 0 && frame.quoted === frame.keys.size,
      hasColon: following.kind === ":",
    };
  }

  function advance(token: Token): void {
    const frame = frames.at(-1);
    const takesValue = frame === undefined || frame.expects === "value";
    switch (token.kind) {
      case "{":
      case "[":
        if (frame !== undefined) frame.expects = "comma";
        frames.push({ kind: token.kind, expects: token.kind === "{" ? "key" : "value", key: "", index: 0, keys: new Set(), quoted: 0 });
        break;
      case "}":
      case "]":
        frames.pop();
        break;
      case ":":
        if (frame?.expects === "colon") frame.expects = "value";
        break;
      case ",":
        if (frame === undefined) break;
        frame.expects = frame.kind === "{" ? "key" : "value";
        frame.index += 1;
        break;
      default:
        if (frame !== undefined && !takesValue) readKey(frame, token);
        else if (frame !== undefined) frame.expects = "comma";
    }
    hasRoot = true;
  }

  function readKey(frame: Frame, token: Token): void {
    if (frame.kind !== "{") return;
    frame.key = keyText(text, token);
    frame.keys.add(frame.key);
    if (token.kind === "string") frame.quoted += 1;
    frame.expects = "colon";
  }

  /** The keys of the same object after the cursor. */
  function keysAfter(first: Token): string[] {
    const keys: string[] = [];
    let depth = 0;
    let last: Token | undefined;
    for (let token = first; token.kind !== "end" && depth >= 0; token = tokenAt(text, token.to)) {
      if (token.kind === "{" || token.kind === "[") depth += 1;
      if (token.kind === "}" || token.kind === "]") depth -= 1;
      if (token.kind === ":" && depth === 0 && last !== undefined) keys.push(keyText(text, last));
      if (!isComment(token)) last = token;
    }
    return keys;
  }
}

const frameStep = ({ kind, key, index }: Frame): string | number => (kind === "{" ? key : index);

function keyText(text: string, { kind, from, to }: Token): string {
  const written = text.slice(from, to);
  return kind === "string" ? decodedString(written) : decodedWord(written);
}
