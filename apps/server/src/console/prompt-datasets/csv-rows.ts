import { CsvError, parse } from "csv-parse/sync";
import type { Violation } from "../../common/errors.ts";

export type DatasetRow = { input: Record<string, string>; expected?: string };

/** The column of the expected outputs. */
const EXPECTED = "expected";

/**
 * Rows of a CSV text (RFC 4180) whose first line names the columns. Line breaks in values become line feeds.
 * @returns the faults of a text that cannot be read, which name lines
 */
export function readCSV(text: string): { rows: DatasetRow[] } | { violations: Violation[] } {
  const lines = parseLines(text);
  if ("violations" in lines) return lines;
  const [header, ...records] = lines;
  if (!header) return refuse("must have a line with the names of the columns");
  const names = header.record.map((name) => name.trim());
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (names.some((name) => name === "")) return refuse(`has a column without a name in line ${header.line}`);
  if (repeated !== undefined) return refuse(`has two columns with the name ${repeated} in line ${header.line}`);
  return { rows: records.map(({ record }) => toRow(names, record)) };
}

type Line = { record: string[]; line: number };

function parseLines(text: string): Line[] | { violations: Violation[] } {
  const lines: Line[] = [];
  try {
    // The parser counts the two characters of a line break in a value as two lines.
    parse(text.replaceAll("\r\n", "\n"), {
      bom: true,
      skipEmptyLines: true,
      onRecord: (record: string[], { lines: line }) => {
        lines.push({ record, line });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return refuse(explain(error, lines.at(-1)?.line ?? 0));
  }
  return lines;
}

/** Where and how the text breaks a rule of CSV. @param lastLine of the last row that could be read */
function explain({ code, lines, message }: CsvError & { lines?: number }, lastLine: number): string {
  const line = `line ${lines ?? 1}`;
  switch (code) {
    case "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH":
    case "CSV_RECORD_INCONSISTENT_COLUMNS":
      return `has another number of columns in ${line} than in the first line`;
    case "CSV_QUOTE_NOT_CLOSED":
      return `has a quotation mark without an end after line ${lastLine}`;
    case "CSV_INVALID_CLOSING_QUOTE":
    case "INVALID_OPENING_QUOTE":
      return `has a quotation mark in the middle of a value in ${line}. Double it, and put the value in quotation marks`;
    default:
      return `can't be read in ${line}: ${message}`;
  }
}

function toRow(names: string[], record: string[]): DatasetRow {
  const values = names.map((name, index) => [name, record[index] ?? ""] as const);
  const expected = values.find(([name]) => name === EXPECTED)?.[1];
  return { input: Object.fromEntries(values.filter(([name]) => name !== EXPECTED)), ...(expected !== undefined && { expected }) };
}

const refuse = (errorMessage: string) => ({ violations: [{ property: "csv", errorMessage }] });
