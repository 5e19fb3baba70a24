// Values that a hostile caller sends in place of the expected ones.
import fc from "fast-check";
import { Members, Raw } from "./json.mjs";

const nested = (depth, open, close) => new Raw(open.repeat(depth) + close.repeat(depth));
const repeated = (item, count) => new Raw(`[${Array(count).fill(item).join()}]`);
const manyNames = (count) => new Raw(`{${Array.from({ length: count }, (_, index) => `"name${index}":${index}`).join()}}`);

export const NAMES = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "prototype",
  "valueOf",
  "then",
  "toJSON",
  "",
  "\u0000",
  "id ",
  "$ref",
];

const STRINGS = [
  ...NAMES,
  " ",
  "\n",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u202egnp.exe",
  "\u200f\u061c",
  "\ufeff",
  "\uffff",
  "e\u0301\u0301\u0301",
  "İ",
  "ß",
  "👩‍👩‍👧‍👧",
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "-1",
  "1e400",
  "true",
  "../../etc/passwd",
  "%00",
  "%",
  "%2e%2e%2f",
  "'; drop table gate; --",
  "\\",
  '"',
  "<script>alert(1)</script>",
  "{{7*7}}",
  "(a+)+$",
  "[",
  "*",
  "0",
  "2025-02-30",
  "9999999999999999999999",
];

/** Unusual strings. */
export const oddString = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...STRINGS) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constantFrom(101, 129, 257, 1_001, 10_000, 70_000).map((length) => "x".repeat(length)) },
);

const oddNumber = fc.constantFrom(
  ...[-1, -0, 0, 0.1, 1e-7, 101, 1e308, -1e308, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53, 2 ** 53 + 2, 8.64e15 + 1, 5e-324],
  ...["1e400", "-1e400", "1e-400", "9223372036854775808", "123456789012345678901234567890", "-0.0", "1E+2"].map((text) => new Raw(text)),
);

const oddStructure = fc.constantFrom(
  null,
  [],
  {},
  [[]],
  [null],
  [{}],
  { length: 1e9 },
  new Members([["__proto__", { polluted: true }]]),
  new Members([["constructor", { prototype: { polluted: true } }]]),
  new Members([
    ["a", 1],
    ["a", 2],
  ]),
  ...[10, 99, 101, 5_000].flatMap((depth) => [nested(depth, "[", "]"), nested(depth, '{"a":[', "]}")]),
  ...["1", "{}", '""', "null", '"x"', "[1]"].map((item) => repeated(item, 300)),
  manyNames(300),
);

/** Values that are large enough to be expensive. */
export const largeValue = fc.constantFrom(
  repeated("1", 50_000),
  repeated("1", 400_000),
  repeated("{}", 100_000),
  repeated('""', 100_000),
  repeated('{"a":1}', 60_000),
  repeated("[[[[]]]]", 60_000),
  repeated('{"type":"public"}', 30_000),
  manyNames(60_000),
  "x".repeat(1_000_000),
  "\u0000".repeat(100_000),
  "(".repeat(100_000),
  nested(100_000, "[", "]"),
  nested(100_000, '{"a":', "}"),
);

/** Values that hardly any schema expects. */
export const oddValue = fc.oneof(
  { weight: 4, arbitrary: oddString },
  { weight: 3, arbitrary: oddNumber },
  { weight: 3, arbitrary: oddStructure },
  { weight: 1, arbitrary: fc.boolean() },
);
