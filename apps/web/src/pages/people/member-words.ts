/** The addresses in a text: one on each line, or with commas, semicolons or spaces between them. Each counts once. */
export function emailsIn(text: string): string[] {
  const found = text
    .split(/[\s,;]+/)
    .map((one) => one.replace(/^<|>$/g, "").toLowerCase())
    .filter((one) => one !== "");
  return [...new Set(found)];
}
