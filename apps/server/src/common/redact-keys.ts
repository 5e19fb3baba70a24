/** Matches a key or a one-time token by its shape, with the characters before and after it. */
const KEY_PATTERN = /(console|secret|client|once)-[\w-]{16,}/gi;
const ESCAPE_PATTERN = /%([0-7][0-9a-f])/gi;
/** The most levels of percent-encoding. A text with more is hidden. */
const MAX_ENCODINGS = 8;
const ENCODED_PATTERN = /[^\s"'\\]*%[^\s"'\\]*/g;
const HIDDEN_TEXT = "(not shown: percent-encoded too often)";

/** A decoded text, with the offset of each character in the original text. `starts` ends with the length of the original. */
type Decoded = { text: string; starts: number[] };

/**
 * Removes the secret part of every key in a text for the log: `secret-…`. Keys are recognized by their shape, even if percent-encoded
 * several times. The rest of the text does not change, so JSON stays JSON.
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

/** Decodes one level. Undefined for a text without encoding. */
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
