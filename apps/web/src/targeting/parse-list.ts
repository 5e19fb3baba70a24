export type ParsedList = {
  /** In the order of the text, each once. */
  values: string[];
  /** How many further values of the text were equal to an earlier one. */
  duplicates: number;
};

/** A value in quotes that ends at a separator, or all text up to the next separator. Quoted values end on their line. */
const VALUE = /[^\S\t\r\n]*(?:"((?:[^"\r\n]|"")*)"|'((?:[^'\r\n]|'')*)'|([^,\t\r\n]*))[^\S\t\r\n]*(?:[,\t\r\n]|$)/y;
/** Invisible spaces, often pasted with text from chats and spreadsheets. */
const INVISIBLE_ENDS = /^[\s\u200B-\u200D\u2060]+|[\s\u200B-\u200D\u2060]+$/g;

/** Reads pasted values, separated by lines, tabs or commas. Within quotes, commas and tabs are part of a value. */
export function parseList(text: string): ParsedList {
  const all: string[] = [];
  const value = new RegExp(VALUE);
  while (value.lastIndex < text.length) {
    const [, double, single, plain = ""] = value.exec(text) ?? [];
    const read = double?.replaceAll('""', '"') ?? single?.replaceAll("''", "'") ?? plain;
    const trimmed = read.replace(INVISIBLE_ENDS, "");
    if (trimmed !== "") all.push(trimmed);
    if (value.lastIndex === 0) break;
  }
  const values = [...new Set(all)];
  return { values, duplicates: all.length - values.length };
}

export type ExtendedList = { values: (string | number)[]; added: number; duplicates: number };

/**
 * Adds pasted values to those of a list. Values that the list has already count as duplicates.
 * @param toValue the value that an entry stands for
 */
export function extendList(list: readonly (string | number)[], text: string, toValue = (entry: string) => entry): ExtendedList {
  const { values: entries, duplicates: repeated } = parseList(text);
  const values = [...new Set(entries.map(toValue))];
  const duplicates = repeated + entries.length - values.length;
  const existing = new Set(list.map(String));
  const fresh = values.filter((value) => !existing.has(value));
  return { values: [...list, ...fresh], added: fresh.length, duplicates: duplicates + values.length - fresh.length };
}
