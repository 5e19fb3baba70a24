/** The text without what the database cannot store: U+0000, and halves of surrogate pairs. */
export function storableText(text: string): string {
  return Buffer.from(text).toString().replaceAll("\0", "\uFFFD");
}

/** The beginning of a text. A longer one ends with an ellipsis. @param max the length, in characters */
export function shortened(text: string, max: number): string {
  return text.length > max ? `${storableText(text.slice(0, max))}…` : text;
}
