/** A key by its shape, with whatever is glued to it. */
const KEY_PATTERN = /(console|secret|client)-[\w-]{16,}/gi;
const ESCAPE_PATTERN = /%([0-7][0-9a-f])/gi;
/** How often a text may be percent-encoded. What is encoded more often is not shown at all. */
const MAX_ENCODINGS = 8;
const ENCODED_PATTERN = /[^\s"'\\]*%[^\s"'\\]*/g;
const HIDDEN_TEXT = "(not shown: percent-encoded too often)";

/** A text, and for each of its characters where that begins in the text it was decoded from. `starts` ends with that text's length. */
type Decoded = { text: string; starts: number[] };

/**
 * Takes the secret part out of every key in a text that may be logged, such as a path: `secret-…`. Keys are known by their shape alone, also
 * where they are percent-encoded, once or several times. The rest of the text stays as it is, and JSON stays JSON.
 */
export function redactKeys(text: string): string {
  if (!text.includes("%")) return text.replaceAll(KEY_PATTERN, "$1-…");
  const decoded = decodeFully(text);
  if (decoded === undefined) return text.replaceAll(ENCODED_PATTERN, HIDDEN_TEXT);
  let shown = "";
  let end = 0;
  for (const match of decoded.text.matchAll(KEY_PATTERN)) {
    const start = decoded.starts[match.index] as number;
    shown += `${text.slice(end, start)}${match[1]}-…`;
    end = decoded.starts[match.index + match[0].length] as number;
  }
  return shown + text.slice(end);
}

function decodeFully(text: string): Decoded | undefined {
  let decoded: Decoded = { text, starts: Array.from({ length: text.length + 1 }, (_, index) => index) };
  for (let round = 0; round <= MAX_ENCODINGS; round += 1) {
    const next = decodeOnce(decoded);
    if (next === undefined) return decoded;
    decoded = next;
  }
  return undefined;
}

/** Undefined if nothing is encoded. */
function decodeOnce({ text, starts }: Decoded): Decoded | undefined {
  const pieces: string[] = [];
  const pieceStarts: number[] = [];
  let end = 0;
  for (const { index, 0: encoded, 1: code = "" } of text.matchAll(ESCAPE_PATTERN)) {
    pieces.push(text.slice(end, index), String.fromCharCode(Number.parseInt(code, 16)));
    for (let at = end; at <= index; at += 1) pieceStarts.push(starts[at] as number);
    end = index + encoded.length;
  }
  if (end === 0) return undefined;
  pieces.push(text.slice(end));
  for (let at = end; at <= text.length; at += 1) pieceStarts.push(starts[at] as number);
  return { text: pieces.join(""), starts: pieceStarts };
}
