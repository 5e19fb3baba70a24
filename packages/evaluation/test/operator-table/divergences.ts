import type { Condition, User } from "../../src/index.ts";

/** One condition, asked for one user who carries this value where the condition looks. */
export type Row = { condition: Condition; value: unknown; user: User };

/** A difference between the generations. `follows` is the one that our evaluator matches: most often the newer. */
export type Divergence = { title: string; follows: "newer" | "older"; applies(row: Row): boolean };

const NUMBERS = /^(?:gt|gte|lt|lte)$/;
const VERSIONS = /^version_/;
const TIMES = /^(?:before|after|on)$/;
const LISTS = /^(?:any|none)(?:_case_sensitive)?$/;
const TEXTS = /^(?:str_(?:starts|ends|contains)|any|none)/;

type Given = { operator: string; target: unknown; value: unknown; condition: Condition };

/** A divergence of operators. Values of user agents, groups and the clock are not known before. */
function among(operators: RegExp, applies: (given: Given) => boolean): Divergence["applies"] {
  return ({ condition, value }) => {
    const operator = condition.operator ?? "";
    return operators.test(operator) && applies({ operator, target: condition.targetValue, value, condition });
  };
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const isNumber = (value: unknown) => typeof value === "number" || (typeof value === "string" && DECIMAL.test(value));

const MOMENT = /^(?:-?\d{10,}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\dZ)$/i;
const isMoment = (value: unknown) => MOMENT.test(String(value)) && !(Array.isArray(value) || value === true);
const MIN_MILLISECONDS = 1e10;

const VERSION_PART = /^\s*\+?\d+\s*$/;
const isVersion = (value: string) => (value.split("-")[0] ?? "").split(".").every((part) => VERSION_PART.test(part));

const isAbsent = (value: unknown) => value === undefined || value === null;
const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const hasExponent = (value: unknown) => typeof value === "number" && /e/.test(String(value));
const hasEqualInAnyCase = (target: unknown) =>
  Array.isArray(target) && new Set(target.map((item) => String(item).toLowerCase())).size < target.length;

const OPERATORS: Divergence[] = [
  {
    title: "Older SDKs compare whatever JavaScript turns into a number, newer ones decimal numbers and `inf` alone.",
    follows: "newer",
    applies: among(NUMBERS, ({ target, value }) => !isNumber(target) || !isNumber(value)),
  },
  { title: "Newer SDKs read a number as a version.", follows: "newer", applies: among(VERSIONS, ({ value }) => typeof value === "number") },
  {
    title: "Older SDKs read parts of versions that are blank, hexadecimal or have an exponent.",
    follows: "newer",
    applies: among(VERSIONS, ({ value }) => typeof value === "string" && !isVersion(value)),
  },
  {
    title: "Newer SDKs compare no part of a version that is over 128 bits.",
    follows: "newer",
    applies: among(VERSIONS, ({ value }) => typeof value === "string" && /\d{39}/.test(value)),
  },
  {
    title: "Older SDKs and we compare parts of versions beyond 2^53 inexactly.",
    follows: "older",
    applies: among(VERSIONS, ({ value }) => typeof value === "string" && /\d{16}/.test(value)),
  },
  {
    title: "Older SDKs take a small target for seconds.",
    follows: "newer",
    applies: among(TIMES, ({ target }) => typeof target === "number" && target < MIN_MILLISECONDS),
  },
  {
    title: "Older SDKs read every date that JavaScript does, newer ones whole numbers and dates with seconds, of at most 20 characters.",
    follows: "newer",
    applies: among(TIMES, ({ target, value }) => !isMoment(target) || !isMoment(value)),
  },
  {
    title: "Older SDKs read no dates after the year 275760, and dates that do not exist.",
    follows: "newer",
    applies: among(TIMES, ({ value }) => value === 2 ** 53 || /-02-30|T24:/.test(String(value))),
  },
  {
    title: "Older SDKs compare as `==` does, newer ones as the target's type asks.",
    follows: "newer",
    applies: among(/^n?eq$/, () => true),
  },
  { title: "Newer SDKs read an absent value as empty text.", follows: "newer", applies: among(TEXTS, ({ value }) => isAbsent(value)) },
  {
    title: "Newer SDKs search no absent value for a pattern.",
    follows: "newer",
    applies: among(/^str_matches$/, ({ value }) => isAbsent(value)),
  },
  {
    title: "Newer SDKs read an array as the text of its JSON.",
    follows: "newer",
    applies: among(/^(?:str_|any|none)/, ({ value }) => Array.isArray(value)),
  },
  { title: "Newer SDKs read no object as text.", follows: "newer", applies: among(/^(?:str_|any|none)/, ({ value }) => isObject(value)) },
  {
    title: "Newer SDKs write all digits of a number as text.",
    follows: "newer",
    applies: among(TEXTS, ({ value }) => hasExponent(value)),
  },
  {
    title: "Newer SDKs write negative zero with its sign.",
    follows: "newer",
    applies: among(/^(?:str_|any|none|version)/, ({ value }) => Object.is(value, -0)),
  },
  {
    title: "Newer SDKs read an object of targets as the list of its keys.",
    follows: "newer",
    applies: among(LISTS, ({ target }) => isObject(target)),
  },
  {
    title: "Newer SDKs keep the last of targets that differ by case alone.",
    follows: "newer",
    applies: among(/_case_sensitive$/, ({ target }) => hasEqualInAnyCase(target)),
  },
  {
    title: "Newer SDKs take text alone as a pattern.",
    follows: "newer",
    applies: among(/^str_matches$/, ({ target }) => typeof target !== "string"),
  },
  {
    title: "Newer SDKs match digits of every script, and whole characters with a dot.",
    follows: "newer",
    applies: among(/^str_matches$/, ({ value }) => typeof value === "string" && /[^\0-\x7f]/.test(value)),
  },
  {
    title: "Older SDKs and we search no text of 1000 characters and more.",
    follows: "older",
    applies: among(/^str_matches$/, ({ value }) => typeof value === "string" && value.length >= 1000),
  },
  {
    title: "Newer SDKs compare items of arrays as text.",
    follows: "newer",
    applies: among(/array_contains/, ({ target, value }) => String(target) !== JSON.stringify(target) && Array.isArray(value)),
  },
  {
    title: "Older SDKs look only text that is not empty up in an id list.",
    follows: "newer",
    applies: among(/in_segment_list$/, ({ value }) => value === "" || typeof value === "number" || typeof value === "boolean"),
  },
];

const OF_TYPES: [title: string, types: RegExp, follows?: "older"][] = [
  ["Older SDKs and we know conditions on several gates at once.", /^multi_(?:pass|fail)_gate$/, "older"],
  ["Newer SDKs read user agents with patterns of their own.", /^ua_based$/],
  ["Newer SDKs compare the present time as a moment alone.", /^current_time$/],
  ["Older SDKs know types in any case.", /[A-Z]/],
];

const isGate = ({ type }: Condition) => type === "pass_gate" || type === "fail_gate";

export const DIVERGENCES: Divergence[] = [
  {
    title: "Newer SDKs follow the rules of a gate that is not enabled.",
    follows: "older",
    applies: ({ condition }) => isGate(condition) && condition.targetValue === "disabled",
  },
  {
    title: "Newer SDKs look a user's group in an experiment up in an id list.",
    follows: "older",
    applies: ({ condition }) => condition.type === "experiment_group" && /in_segment_list$/.test(condition.operator ?? ""),
  },
  {
    title: "Newer SDKs and we know conditions on a user's group in an experiment.",
    follows: "newer",
    applies: ({ condition }) => condition.type === "experiment_group",
  },
  {
    title: "Older SDKs and we find custom ids in any case.",
    follows: "older",
    applies: ({ user }) => Object.hasOwn(user.customIDs ?? {}, "COMPANYid"),
  },
  {
    title: "Newer SDKs look further for a field that is empty, stop at one that is null, and know aliases.",
    follows: "newer",
    applies: ({ condition }) => condition.type === "user_field" && condition.field !== "f",
  },
  {
    title: "Newer SDKs look an address up where the country is empty.",
    follows: "newer",
    applies: ({ condition, user }) => condition.type === "ip_based" && user.country === "",
  },
  {
    title: "Older SDKs find fields of an environment in any case.",
    follows: "newer",
    applies: ({ condition }) => condition.type === "environment_field" && condition.field === "Tier",
  },
  {
    title: "Older SDKs know operators in any case.",
    follows: "newer",
    applies: ({ condition }) => /[A-Z]/.test(condition.operator ?? ""),
  },
  ...OF_TYPES.map(
    ([title, types, follows = "newer"]): Divergence => ({
      title,
      follows: follows as Divergence["follows"],
      applies: ({ condition }) => types.test(condition.type),
    }),
  ),
  ...OPERATORS,
];
