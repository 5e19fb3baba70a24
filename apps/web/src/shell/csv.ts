/** The characters that start a formula in spreadsheets, in any width, and the quote that marks a text as harmless. */
const RISKY = /^[=+\-@＝＋－＠\t\r\n']/;

/** A value of a CSV file (RFC 4180). A text that a spreadsheet would take for a formula begins with an apostrophe. */
export function csvCell(value: unknown): string {
  const text = value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  const safe = typeof value === "string" && RISKY.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
