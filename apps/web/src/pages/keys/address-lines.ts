/** The addresses in a text, separated by line breaks, spaces or commas, without duplicates. Pure. */
export function readLines(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((address) => address !== ""))];
}
