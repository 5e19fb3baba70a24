import { type Dialect, type ParameterType, postgres } from "./dialect.ts";

const TYPES: Record<ParameterType, string> = {
  text: "String",
  bigint: "Int64",
  double: "Float64",
  "text[]": "Array(String)",
  "bigint[]": "Array(Int64)",
};

/** ClickHouse 26.7. Earlier ones lack tables that are materialized for a statement. */
export const clickhouse: Dialect = {
  table: postgres.table,
  parameter: (position, type) => `{p${position}:${TYPES[type]}}`,
  isIn: (text, list) => `(${text} in ${list})`,
  contains: (text, part) => `position(${text}, ${part}) > 0`,
  startsWith: (text, part) => `startsWith(${text}, ${part})`,
  endsWith: (text, part) => `endsWith(${text}, ${part})`,
  // The same texts as on Postgres, which are fewer than ClickHouse reads.
  numberIn: (text) =>
    `(case when lengthUTF8(${text}) <= 60 and match(${text}, '^\\\\s*[+-]?([0-9]+\\\\.?[0-9]*|\\\\.[0-9]+)([eE][+-]?[0-9]{1,2})?\\\\s*$') then toFloat64OrNull(replaceRegexpAll(${text}, '\\\\s', '')) end)`,
  textUnder: (json, key) => extracted(json, (text) => `JSONExtract(${text}, ${key}, 'Nullable(String)')`),
  textUnderAnyCase: (json, key) => {
    const isKey = `lowerUTF8(entry.1) = lowerUTF8(${key})`;
    const entries = (text: string) => `arrayFilter(entry -> ${isKey}, ${members(text)})`;
    return extracted(json, (text) => `arraySort(entry -> entry.1 <> ${key}, ${entries(text)})[1].2`);
  },
  hasMember: (json, key, text) =>
    `arrayExists(entry -> lowerUTF8(entry.1) = lowerUTF8(${key}) and ifNull(entry.2, '') = ${text}, ${members(bound(json, regular))})`,
  // A subquery would be computed before the statement, whose other parts then miss the tables that both read.
  oneRow: (table) => ({ join: ` cross join ${table}`, column: (name) => name }),
  joinMembers: (json) =>
    `array join cast(${members(bound(json, regular))}, 'Array(Tuple(name String, "text" Nullable(String)))') as member`,
  // A binary search, and a look-up of its result. `roundDown` finds the first bound for times before it.
  position: (time, bounds) =>
    `(case when ${time} < ${bounds}[1] then 0 else toInt64(transform(roundDown(${time}, ${bounds}), ${bounds}, arrayEnumerate(${bounds}), 0)) end)`,
  aggregate: postgres.aggregate,
  // A null in a tuple is not passed over.
  firstBy: (expression, columns, condition) => `argMinIf(tuple(toNullable(${expression})), tuple(${columns.join(", ")}), ${condition}).1`,
  lastBy: (expression, columns, condition) => `argMaxIf(tuple(toNullable(${expression})), tuple(${columns.join(", ")}), ${condition}).1`,
  // These functions take no frame. For a missing row, they return the least value of the type: null.
  beside: (side, expression, rows) => `${side}(toNullable(${expression})) over (${rows})`,
  percentile: (expression, level, condition) => `quantileExactInclusiveIf(${level})(toNullable(${expression}), ${condition})`,
  sum: (expression) => `sum(toFloat64(${expression}))`,
  // A number out of range fails the statement, as on Postgres.
  double: (expression) =>
    `(toFloat64(${expression}) + throwIf(not isFinite(ifNull(toFloat64(${expression}), 0)), 'value out of range: overflow'))`,
  unitRows: (json) =>
    `(select one.1 as id, one.2 as grp, one.3 as since, one.4 as dim, one.5 as delay from (select arrayJoin(JSONExtract(${json}, 'Array(Tuple(String, String, Int64, Nullable(String), Int64))')) as one)) as given`,
  // Large integers would become texts.
  listedUnits: ([id, group, since, dimension, delay]) =>
    `toJSONString(groupArray((${id}, ${group}, toFloat64(${since}), ${dimension}, toFloat64(${delay}))))`,
  name: (name) => `\`${name.replaceAll("\\", "\\\\").replaceAll("`", "\\`")}\``,
  text: (expression) => `toString(${expression})`,
  start: (text, length) => `leftUTF8(${text}, ${length})`,
  jsonObject: (columns) => `toJSONString(map(${columns.flatMap(([name, value]) => [toLiteral(name), `toString(${value})`]).join(", ")}))`,
  columnTime(column, type) {
    const plain = type.replace(/^(?:LowCardinality\()?(?:Nullable\()?/, "");
    const seconds = (time: number) => Math.floor(time / 1_000);
    if (/^DateTime64/.test(plain))
      return {
        ms: `toUnixTimestamp64Milli(toDateTime64(${column}, 3))`,
        isSince: (time) => `${column} >= toDateTime64(${seconds(time)}, 3)`,
      };
    if (/^DateTime/.test(plain))
      return { ms: `toInt64(toUnixTimestamp(${column})) * 1000`, isSince: (time) => `${column} >= toDateTime(${seconds(time)})` };
    if (/^Date/.test(plain))
      return {
        ms: `toInt64(toInt32(toDate32(${column}))) * 86400000`,
        isSince: (time) => `${column} >= toDate32(${seconds(time)}, 'UTC')`,
      };
    if (!/^(U?Int|Float|Decimal)/.test(plain)) return undefined;
    return { ms: `toInt64(${column})`, isSince: (time) => `${column} >= ${time}` };
  },
  hash: (text) => `toInt64(reinterpretAsUInt32(reverse(substring(MD5(${text}), 1, 4))))`,
  identity: (text) => `lower(hex(substring(MD5(${text}), 1, 8)))`,
  once: "",
  inlined: "as",
  shared: "as materialized",
  each: (list) => `arrayJoin(${list})`,
  // A union would read the table for each list.
  divided: (kept, names, lists, table) => {
    const columns = names.map((name, index) => `list.${index + 1} as ${name}`);
    const tuples = lists.map((list) => `(${list.join(", ")})`);
    return `select ${kept.join(", ")}, ${columns.join(", ")} from (select ${kept.join(", ")}, arrayJoin([${tuples.join(", ")}]) as list from ${table}) as listed`;
  },
  settings: {
    enable_materialized_cte: 1,
    join_use_nulls: 1,
    cast_keep_nullable: 1,
    // In standard SQL, an alias is not a column of the same select.
    prefer_column_name_to_alias: 1,
    // If a unit's exposure has several rows, the earliest counts.
    final: 1,
  },
  placeholder: /\{p(\d+):[A-Za-z0-9()]+\}/g,
  literal: toLiteral,
};

export function toLiteral(value: string | number | readonly (string | number)[]): string {
  if (typeof value === "string") return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  return typeof value === "number" ? String(value) : `[${value.map(toLiteral).join(", ")}]`;
}

const HALF_SURROGATE = `'\\\\\\\\ud[89a-f][0-9a-f]{2}'`;
const IRREGULAR = `'[0-9]{19}|e\\\\+|\\\\\\\\ud'`;
const STRING_OR_NUMBER = `'("(?:[^"\\\\\\\\]|\\\\\\\\.)*")|(-?[0-9]+(?:\\\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)'`;

/**
 * The text that an expression extracts. The parser gives up on texts with half of a surrogate pair or an integer of more than 64 bits, and
 * rewrites large numbers. These texts are read again, with their numbers as texts.
 */
function extracted(json: string, extract: (json: string) => string): string {
  return bound(json, (text) => {
    const found = extract(text);
    return `if(${found} is null or match(${found}, '^-?[0-9.]+e'), ${bound(regular(text), extract)}, ${found})`;
  });
}

const members = (json: string) => `JSONExtractKeysAndValues(ifNull(${json}, ''), 'Nullable(String)')`;

/** The JSON text as the parser takes it. */
function regular(json: string): string {
  const whole = `replaceRegexpAll(${json}, ${HALF_SURROGATE}, '\\\\\\\\ufffd')`;
  // A sign that no JSON text has marks where a number begins and ends, and stands twice after each string.
  const marked = `replaceRegexpAll(${whole}, ${STRING_OR_NUMBER}, '\\\\1\\x01\\\\2\\x01')`;
  return `if(match(${json}, ${IRREGULAR}), replaceAll(replaceAll(${marked}, '\\x01\\x01', ''), '\\x01', '"'), ${json})`;
}

/** An expression that reads another one several times, which is written once. */
function bound(expression: string, read: (name: string) => string): string {
  return /^[\w."]+$/.test(expression) ? read(expression) : `arrayMap(text -> ${read("text")}, [${expression}])[1]`;
}
