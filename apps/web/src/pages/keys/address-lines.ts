/** The addresses in a text, separated by lines, spaces or commas, each once. Pure. */
export function readLines(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((address) => address !== ""))];
}
