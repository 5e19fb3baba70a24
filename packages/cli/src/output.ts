import { styleText } from "node:util";
import { environment } from "./environment.ts";

type Style = "red" | "green" | "yellow" | "cyan" | "dim" | "bold";

/** Whether colors are shown on a stream. */
function isColored(stream: NodeJS.WriteStream): boolean {
  if (environment.noColor) return false;
  return environment.forceColor || stream.isTTY === true;
}

/** The text in a style, or plain if the stream shows no colors. */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return isColored(stream) ? styleText(style, text, { validateStream: false }) : text;
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** A message about what the command does, so that the output stays readable for programs. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Rows as columns of equal width, under their titles. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, index) => Math.max(title.length, ...rows.map((row) => (row[index] ?? "").length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd();
  return [styled("bold", line(titles.map((title) => title.toUpperCase()))), ...rows.map(line)].join("\n");
}
