import type { TracedStatement } from "../common/tracing.ts";

/** Longer texts are cut, in characters. */
const MAX_LENGTH = 2_000;
/** Literals. One that the cut has left without an end is a literal, too. Only ClickHouse escapes with backslashes. */
const LITERALS = {
  postgresql: /'(?:[^']|'')*(?:'|$)|(?<![\w$."])\d+(?:\.\d+)?\b/g,
  clickhouse: /'(?:[^'\\]|\\.|'')*(?:'|\\?$)|(?<![\w$."])\d+(?:\.\d+)?\b/gs,
};
/** Texts of statements that were described before. */
const MAX_KNOWN = 500;

/** A statement for a span. */
export type QueryText = {
  /** `SELECT gate` */
  summary: string;
  /** The verb, such as `SELECT`. */
  operation: string;
  /** Without values. */
  text: string;
};

const known = new Map<string, QueryText>();

/** Describes a statement without its values, so that it can leave the server. */
export function describeQuery({ system, text: sql }: TracedStatement): QueryText {
  const key = `${system} ${sql}`;
  const found = known.get(key);
  if (found) return found;
  const shown = sql.slice(0, MAX_LENGTH).replaceAll(LITERALS[system], "?").replaceAll(/\s+/g, " ").trim();
  const operation = (/\b(?:select|insert|update|delete|alter|create|drop)\b/i.exec(shown)?.[0] ?? "query").toUpperCase();
  const [, table] = /\b(?:from|into|update|table)\s+(?:\w+\.)?"?([a-z_]\w*)/i.exec(shown) ?? [];
  const described = { summary: table === undefined ? operation : `${operation} ${table}`, operation, text: shown };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, described);
  return described;
}
