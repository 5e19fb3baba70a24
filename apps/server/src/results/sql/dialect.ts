/** The types of parameters that queries have. */
export type ParameterType = "text" | "bigint" | "double" | "text[]" | "bigint[]";

/** A column with times, as SQL. */
type ColumnTime = {
  /** In ms since the epoch. */
  ms: string;
  /** Whether the time is at least a number of ms, by a comparison that an index or the order of a table can serve. */
  isSince(ms: number): string;
};

/** The tables of events and exposures. */
export type StoredTable = "event" | "kept_event" | "dropped_event_day" | "experiment_exposure" | "check_exposure";

/** Servers that have the rows of different users. */
type Shards = {
  /** The dialect of statements to each server about its own rows. */
  dialect: Dialect;
  /** The source of a select from the rows that all servers return for a statement. */
  each(statement: string): string;
};

/** The differences between the SQL of engines. Every argument and result is an SQL expression unless it says otherwise. */
export type Dialect = {
  /** The source of a select from the rows of a table. */
  table(table: StoredTable): string;
  /** Given if each user's events and exposures are on one of several servers. */
  shards?: Shards;
  /** A placeholder. @param position counted from 1 */
  parameter(position: number, type: ParameterType): string;
  /** Whether a text equals one of a list. */
  isIn(text: string, list: string): string;
  contains(text: string, part: string): string;
  startsWith(text: string, part: string): string;
  endsWith(text: string, part: string): string;
  /** The number in a text; null for other texts. */
  numberIn(text: string): string;
  /** The text, number or boolean under a key of an object in a JSON text, as a text; null if it is missing. */
  textUnder(json: string, key: string): string;
  /** The same, ignoring the case of the key but preferring the given case. */
  textUnderAnyCase(json: string, key: string): string;
  /** Whether an object in a JSON text has a text under a key, ignoring the case of the key. */
  hasMember(json: string, key: string, text: string): string;
  /** How a select reads the columns of a table with one row, beside its own: the addition to its `from`, and the expression of a column. */
  oneRow(table: string): { join: string; column(name: string): string };
  /** Joins each row with the members of an object in a JSON text: a table `member` with the columns `name` and, as of `textUnder`, `text`. */
  joinMembers(json: string): string;
  /** The number of the last of the ascending bounds at or before a time, counted from 1; 0 before the first. */
  position(time: string, bounds: string): string;
  /** The aggregate of an expression in the rows that meet a condition; `whenNone` without such rows. */
  aggregate(call: string, condition: string, whenNone: string): string;
  /** The expression in the row with the least columns, in their order, among those that meet a condition; null without such rows. */
  firstBy(expression: string, columns: readonly string[], condition: string): string;
  /** The same in the row with the greatest columns. */
  lastBy(expression: string, columns: readonly string[], condition: string): string;
  /**
   * The expression in the row before or after a row; null if it is missing. @param rows a window, as written in its parentheses
   * @param window the name of a window with these rows and any frame
   */
  beside(side: "lag" | "lead", expression: string, rows: string, window?: string): string;
  /** The interpolated percentile of an expression in the rows that meet a condition. @param level a share, as a number */
  percentile(expression: string, level: number, condition: string): string;
  /** A sum with the same type for whole and other numbers. */
  sum(expression: string): string;
  double(expression: string): string;
  /**
   * The source of a select with a row for each `GivenUnit` in a JSON text. Its table `given` has the text columns `id`, `grp` and `dim`,
   * and the numbers `since` and `delay`.
   */
  unitRows(json: string): string;
  /** The aggregate that is such a text. @param unit the expressions of a `GivenUnit` */
  listedUnits(unit: readonly [string, string, string, string, string]): string;
  /** A name as the engine quotes it. @param name the name itself, not an expression */
  name(name: string): string;
  /** An expression of any type as a text. */
  text(expression: string): string;
  /** The first characters of a text. @param length how many, as a number */
  start(text: string, length: number): string;
  /** A JSON text with columns, as texts, under their names. @param columns pairs of a name and an expression */
  jsonObject(columns: readonly (readonly [string, string])[]): string;
  /** How a column's times are read; undefined for other values. @param type as the engine names it */
  columnTime(column: string, type: string): ColumnTime | undefined;
  /** A whole number from 0 to 2³² - 1 that follows from a text: the first bits of its MD5. */
  hash(text: string): string;
  /** Sixteen hexadecimal digits that follow from a text: the first bits of its MD5. They are compared as ASCII. */
  identity(text: string): string;
  /** The end of a subquery whose columns are computed once for each row, even if several places read them. */
  once: string;
  /** The text after the name of a common table expression that becomes part of its readers, and of one that is computed once for all. */
  inlined: string;
  shared: string;
  /** In a select, a column that repeats the row for each number of a list. A join would compare each row with each number. */
  each(list: string): string;
  /**
   * The rows of a table, each once for each list of its columns: a select with the columns `kept` as they are, and those of the list under
   * `names`. All lists have numbers.
   */
  divided(kept: readonly string[], names: readonly string[], lists: readonly (readonly string[])[], table: string): string;
  /** Settings without which statements mean something else. */
  settings: Readonly<Record<string, string | number>>;
  /** The parameters in the text of a statement; the group is the position. */
  placeholder: RegExp;
  literal(value: string | number | readonly (string | number)[]): string;
};

/** Postgres 15 and later, and PGlite. */
export const postgres: Dialect = {
  table: (table) => table,
  parameter: (position, type) => `$${position}::${type === "double" ? "double precision" : type}`,
  isIn: (text, list) => `${text} = any(${list})`,
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  startsWith: (text, part) => `starts_with(${text}, ${part})`,
  endsWith: (text, part) => `right(${text}, length(${part})) = ${part}`,
  // Longer texts and larger exponents would not be refused but fail the query.
  numberIn: (text) =>
    `(case when length(${text}) <= 60 and ${text} ~ '^\\s*[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,2})?\\s*$' then ${text}::double precision end)`,
  textUnder: (json, key) => `(${storable(json)}::json ->> ${key})`,
  textUnderAnyCase: (json, key) =>
    `(select entry.value from json_each_text(${storable(json)}::json) as entry where lower(entry.key) = lower(${key}) order by entry.key = ${key} desc limit 1)`,
  hasMember: (json, key, text) =>
    `exists (select from json_each_text(${storable(json)}::json) as entry where lower(entry.key) = lower(${key}) and entry.value = ${text})`,
  // Joined, it might be compared with each row.
  oneRow: (table) => ({ join: "", column: (name) => `(select ${name} from ${table})` }),
  joinMembers: (json) => `cross join lateral json_each_text(${storable(json)}::json) as member(name, "text")`,
  position: (time, bounds) => `width_bucket(${time}, ${bounds})`,
  aggregate: (call, condition, whenNone) => `coalesce(${call} filter (where ${condition}), ${whenNone})`,
  firstBy: (expression, columns, condition) => `(array_agg(${expression} order by ${columns.join(", ")}) filter (where ${condition}))[1]`,
  lastBy: (expression, columns, condition) =>
    `(array_agg(${expression} order by ${columns.map((one) => `${one} desc`).join(", ")}) filter (where ${condition}))[1]`,
  beside: (side, expression, rows, window) => `${side}(${expression}) over ${window ?? `(${rows})`}`,
  percentile: (expression, level, condition) =>
    `percentile_cont(${level}) within group (order by ${expression}) filter (where ${condition})`,
  sum: (expression) => `sum(${expression})`,
  double: (expression) => `(${expression})::double precision`,
  unitRows: (json) =>
    `(select one ->> 0 as id, one ->> 1 as grp, (one ->> 2)::bigint as since, one ->> 3 as dim, (one ->> 4)::bigint as delay from json_array_elements(${json}::json) as one) as given`,
  listedUnits: (unit) => `coalesce(json_agg(json_build_array(${unit.join(", ")})), '[]')::text`,
  name: (name) => `"${name.replaceAll('"', '""')}"`,
  text: (expression) => `(${expression})::text`,
  start: (text, length) => `left(${text}, ${length})`,
  jsonObject: (columns) =>
    `json_object(array[${columns.map(([name]) => toLiteral(name)).join(", ")}], array[${columns.map(([, value]) => `(${value})::text`).join(", ")}])::text`,
  columnTime(column, type) {
    if (/^(timestamp|date)\b/.test(type)) {
      // A time stamp without a zone is in UTC, in a session of any zone.
      const ms = `(extract(epoch from ${column}) * 1000)::bigint`;
      const zoned = (time: number) => `to_timestamp(${time}::double precision / 1000)`;
      const isZoned = type.endsWith("with time zone");
      return { ms, isSince: (time) => `${column} >= ${isZoned ? zoned(time) : `(${zoned(time)} at time zone 'UTC')`}` };
    }
    if (!/^(bigint|integer|numeric|double precision)\b/.test(type)) return undefined;
    return { ms: `${column}::bigint`, isSince: (time) => `${column} >= ${time}` };
  },
  hash: (text) => `('x' || substr(md5(${text}), 1, 8))::bit(32)::bigint`,
  identity: (text) => `(substr(md5(${text}), 1, 16) collate "C")`,
  // Keeps the planner from dissolving the subquery.
  once: "offset 0",
  inlined: "as not materialized",
  shared: "as",
  each: (list) => `unnest(${list})`,
  divided: (kept, [first, ...names], lists, table) =>
    lists
      .map(([value, ...values]) => {
        const columns = values.map((one, index) => `${one} as ${names[index]}`);
        return `select ${value} as ${first}, ${kept.join(", ")}, ${columns.join(", ")} from ${table}`;
      })
      .join("\nunion all "),
  settings: {},
  placeholder: /\$(\d+)/g,
  literal: toLiteral,
};

function toLiteral(value: string | number | readonly (string | number)[]): string {
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  return typeof value === "number" ? String(value) : `array[${value.map(toLiteral).join(", ")}]`;
}

/** Half of a surrogate pair, which a JSON text can have, is not a valid text in Postgres. */
export function storable(json: string): string {
  return `(case when strpos(${json}, '\\ud') > 0 then regexp_replace(${json}, '\\\\ud[89a-f][0-9a-f]{2}', '\\\\ufffd', 'g') else ${json} end)`;
}
