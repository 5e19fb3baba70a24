import { refuse } from "./scim-error.ts";

const COMPARISONS = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"] as const;

export type Operator = (typeof COMPARISONS)[number];
export type FilterValue = string | number | boolean | null;

/** A filter of RFC 7644. Attributes are in lower case and have no URN. */
export type Filter =
  | { kind: "and" | "or"; filters: Filter[] }
  | { kind: "not"; filter: Filter }
  | { kind: "present"; attribute: string }
  | { kind: "compare"; attribute: string; operator: Operator; value: FilterValue };

const MAX_LENGTH = 1_000;
const MAX_COMPARISONS = 50;
const MAX_DEPTH = 10;

/** A parenthesis, a JSON string, or a word. */
const TOKEN = /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|([^\s()[\]"]+))/y;
const ATTRIBUTE = /^[a-z$][\w$-]*(?:\.[a-z$][\w$-]*)?$/;
/** The URNs of our own schemas. Names of attributes can begin with them. */
const OWN_URN = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/i;
const NUMBER = /^-?\d+(\.\d+)?$/;

type Token = { text: string; at: number };

/**
 * Parses a filter of limited size.
 * @param within for a filter in brackets, the attribute in front of them: names in the filter are parts of it
 * @throws ScimError invalidFilter
 */
export function parseFilter(text: string, within?: string): Filter {
  if (text.length > MAX_LENGTH) throw invalidFilter(`it is longer than ${MAX_LENGTH} characters`);
  const tokens = tokenize(text);
  let next = 0;
  let comparisons = 0;
  const peek = () => tokens[next]?.text.toLowerCase();
  const parsed = parseOr(1, within);
  if (next < tokens.length) throw expected("and or or");
  return parsed;

  function parseOr(depth: number, prefix: string | undefined): Filter {
    return parseList("or", () => parseList("and", () => parseOne(depth, prefix)));
  }

  function parseList(kind: "and" | "or", parsePart: () => Filter): Filter {
    const filters = [parsePart()];
    while (peek() === kind) {
      next += 1;
      filters.push(parsePart());
    }
    return filters.length === 1 ? (filters[0] as Filter) : { kind, filters };
  }

  function parseOne(depth: number, prefix: string | undefined): Filter {
    if (depth > MAX_DEPTH) throw invalidFilter(`it is nested more than ${MAX_DEPTH} levels deep`);
    if (peek() === "not") {
      next += 1;
      return { kind: "not", filter: parseEnclosed("(", ")", depth, prefix) };
    }
    if (peek() === "(") return parseEnclosed("(", ")", depth, prefix);
    return parseComparison(depth, prefix);
  }

  function parseEnclosed(open: string, close: string, depth: number, prefix: string | undefined): Filter {
    if (peek() !== open) throw expected(open);
    next += 1;
    const filter = parseOr(depth + 1, prefix);
    if (peek() !== close) throw expected(close);
    next += 1;
    return filter;
  }

  function parseComparison(depth: number, prefix: string | undefined): Filter {
    const name = withoutURN(tokens[next]?.text ?? "").toLowerCase();
    if (!ATTRIBUTE.test(name)) throw expected("an attribute");
    const attribute = prefix === undefined ? name : `${prefix}.${name}`;
    next += 1;
    if (peek() === "[") return requireOneComparison(attribute, parseEnclosed("[", "]", depth, attribute));
    comparisons += 1;
    if (comparisons > MAX_COMPARISONS) throw invalidFilter(`it has more than ${MAX_COMPARISONS} comparisons`);
    if (peek() === "pr") {
      next += 1;
      return { kind: "present", attribute };
    }
    const operator = COMPARISONS.find((one) => one === peek());
    if (operator === undefined) throw expected("an operator such as eq");
    next += 1;
    const value = toValue(tokens[next]?.text);
    if (value === undefined) throw expected("a value");
    next += 1;
    return { kind: "compare", attribute, operator, value };
  }

  function expected(thing: string) {
    return invalidFilter(`${thing} is expected at character ${(tokens[next]?.at ?? text.length) + 1}`);
  }
}

/** Comparisons in brackets must match the same member, but the query could match different members. */
function requireOneComparison(attribute: string, filter: Filter): Filter {
  if (attribute !== "members" || filter.kind === "compare" || filter.kind === "present") return filter;
  throw invalidFilter("brackets after members can only contain one comparison");
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const start = TOKEN.lastIndex;
    const [whole, ...parts] = TOKEN.exec(text) ?? [];
    if (whole === undefined) throw invalidFilter(`the text from character ${start + 1} has no closing quote`);
    const token = parts.find((part) => part !== undefined) as string;
    tokens.push({ text: token, at: start + whole.length - token.length });
  }
  return tokens;
}

const WORDS = new Map<string, FilterValue>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

function toValue(text: string | undefined): FilterValue | undefined {
  if (text === undefined) return undefined;
  if (text.startsWith('"')) return parseText(text);
  return NUMBER.test(text) ? Number(text) : WORDS.get(text.toLowerCase());
}

function parseText(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "string" && !value.includes("\0")) return value;
  } catch {
    // The error below explains it.
  }
  throw invalidFilter("a text is not valid JSON, or contains the character U+0000");
}

/** The name of an attribute without the URN of its schema, unless that is another schema. */
export function withoutURN(name: string): string {
  return name.replace(OWN_URN, "");
}

export function invalidFilter(reason: string) {
  return refuse("invalidFilter", `The filter is invalid: ${reason}.`);
}
