import type { Column, ReportFile } from "./columns.ts";

/** The characters that start a formula in spreadsheets, in any width, and the quote that marks a text as harmless. */
const RISKY = /^[=+\-@＝＋－＠\t\r\n']/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;
const NOTHING = new Uint8Array();

/** A file of RFC 4180 in UTF-8. */
export function createCsv<Row>(columns: readonly Column<Row>[]): ReportFile<Row> {
  const line = (cells: string[]) => `${cells.join(",")}\r\n`;
  return {
    begin: () => Buffer.from(line(columns.map(({ name }) => quoted(harmless(name))))),
    add: (rows) => Buffer.from(rows.map((row) => line(columns.map((column) => formatCell(column, row)))).join("")),
    end: () => NOTHING,
  };
}

function formatCell<Row>(column: Column<Row>, row: Row): string {
  const value = column.readCell(row);
  if (value === undefined || value === null) return "";
  switch (column.type) {
    case "text":
      return quoted(harmless(value as string));
    case "time":
      return new Date(value as number).toISOString();
    default:
      return String(value);
  }
}

const harmless = (text: string) => (RISKY.test(text) ? `'${text}` : text);

const quoted = (text: string) => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
