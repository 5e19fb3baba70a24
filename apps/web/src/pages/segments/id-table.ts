// Tables of values, one record a line: CSV as in RFC 4180, or with semicolons or tabs. Pure.

const SEPARATORS = ["\t", ";", ","] as const;
type Separator = (typeof SEPARATORS)[number];

/** The beginning of a table. */
export type IDTable = {
  separator: Separator;
  /** All with the same number of fields: missing ones are empty. */
  records: readonly (readonly string[])[];
  /** Whether the first record looks like the names of the columns. */
  hasHeader: boolean;
};

/** The fields of a table that are ids. */
export type IDColumn = { separator: Separator /** Null for every column. */; index: number | null; skipsFirst: boolean };

/** How much of a file is read to find its columns, in characters or bytes. */
export const SAMPLE_LENGTH = 2 ** 16;
const MAX_SAMPLED = 100;
/** Names that columns of ids have in exports. */
const ID_NAME = /(^|[\s_-])(id|ids|key|email|mail|uuid|guid)$|[a-z](ID|Id|Key|Email)$/;

/** The fields of a record, without the spaces around them. Undefined if it ends within quotes, and so continues on the next line. */
export function parseRecord(text: string, separator: string): string[] | undefined {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    const start = at + (/^[^\S\t]*/.exec(text.slice(at))?.[0].length ?? 0);
    let quoted = "";
    if (text[start] === '"') {
      const end = findClosingQuote(text, start + 1);
      if (end === -1) return undefined;
      quoted = text.slice(start + 1, end).replaceAll('""', '"');
      at = end + 1;
    }
    const next = text.indexOf(separator, at);
    const end = next === -1 ? text.length : next;
    fields.push((quoted + text.slice(at, end)).trim());
    if (next === -1) return fields;
    at = next + separator.length;
  }
}

function findClosingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return -1;
}

/** The records of a text. The last one is left out if the text may end within it. */
function parseRecords(text: string, separator: Separator, isWhole: boolean): string[][] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  const records: string[][] = [];
  let waiting = "";
  for (const [index, line] of lines.entries()) {
    if (!isWhole && index === lines.length - 1) break;
    const record = parseRecord(waiting + line, separator);
    waiting = record ? "" : `${waiting}${line}\n`;
    if (record?.some((field) => field !== "")) records.push(record);
    if (records.length >= MAX_SAMPLED) break;
  }
  return records;
}

/**
 * The table in a text, if each line has the same number of fields and more than one, or the first line names a column of IDs. Otherwise it is a list of
 * ids.
 * @param text all of it, or its first SAMPLE_LENGTH characters
 */
export function findTable(text: string, isWhole = true): IDTable | undefined {
  const found = SEPARATORS.flatMap((separator): IDTable[] => {
    const records = parseRecords(text, separator, isWhole);
    const [first] = records;
    if (!first || records.length < 2) return [];
    const hasHeader = first.some((name) => ID_NAME.test(name));
    const width = Math.max(...records.map(({ length }) => length));
    if (records.every(({ length }) => length === width)) return [{ separator, records, hasHeader }];
    // Lines of unequal length are a table only under a line with names, which would be taken for an ID otherwise.
    return hasHeader ? [{ separator, records: records.map((record) => padded(record, width)), hasHeader }] : [];
  });
  const widest = found.toSorted((a, b) => countColumns(b) - countColumns(a))[0];
  if (!widest || countColumns(widest) > 1) return widest;
  return found.length === SEPARATORS.length && widest.hasHeader ? widest : undefined;
}

const padded = (record: readonly string[], width: number): string[] => [
  ...record,
  ...Array.from({ length: width - record.length }, () => ""),
];

export function countColumns({ records: [first] }: IDTable): number {
  return first?.length ?? 0;
}

/** The table in a file. */
export async function readTable(file: Blob): Promise<IDTable | undefined> {
  return findTable(await file.slice(0, SAMPLE_LENGTH).text(), file.size <= SAMPLE_LENGTH);
}

/** The fields of a record that are ids. Undefined if the record lacks the column. */
export function pickIDs(record: readonly string[], { index }: Pick<IDColumn, "index">): string[] | undefined {
  const fields = index === null ? record : record[index] === undefined ? undefined : [record[index]];
  return fields?.filter((field) => field !== "");
}

/** The first ids that a column has. */
export function previewIDs({ records }: IDTable, column: IDColumn, count: number): string[] {
  return records
    .slice(column.skipsFirst ? 1 : 0)
    .flatMap((record) => pickIDs(record, column) ?? [])
    .slice(0, count);
}
