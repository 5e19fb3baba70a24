import type { Criterion, EventSource, Step } from "../../src/results/plans/plan.ts";

/** The rows of the table of events, as the reference reads them: without SQL or the code of the queries. */
export type Logged = {
  id: number;
  unit: string;
  name: string;
  time: number;
  value: string;
  metadata: Record<string, unknown>;
  country: string;
  /** Its other units. */
  customIDs?: Record<string, string>;
};

const NUMBER = /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?\s*$/;

export const isMatch = ({ event, criteria }: EventSource, logged: Logged) =>
  event === logged.name && criteria.every((criterion) => meets(criterion, logged));

export const isStep = (step: Step, logged: Logged) => step.some((source) => isMatch(source, logged));

export function numberIn({ number }: EventSource, { value, metadata }: Logged): number | null {
  if (number.of === "one") return 1;
  const text = number.of === "value" ? value : metadata[number.key] === undefined ? "" : String(metadata[number.key]);
  return NUMBER.test(text) ? Number(text) : null;
}

function meets({ type, column = "", condition, values = [] }: Criterion, { value, metadata, country }: Logged): boolean {
  const raw =
    type === "value"
      ? value || undefined
      : type === "metadata"
        ? metadata[column]
        : type === "user" && column.toLowerCase() === "country"
          ? country
          : undefined;
  const text = raw === undefined || raw === null ? null : String(raw);
  const number = text !== null && NUMBER.test(text) ? Number(text) : null;
  const [first = ""] = values;
  switch (condition) {
    case "in":
      return text !== null && values.includes(text);
    case "not_in":
      return text === null || !values.includes(text);
    case "=":
      return text === first;
    case ">":
      return number !== null && number > Number(first);
    case "<":
      return number !== null && number < Number(first);
    case ">=":
      return number !== null && number >= Number(first);
    case "<=":
      return number !== null && number <= Number(first);
    case "is_null":
      return text === null;
    case "non_null":
      return text !== null;
    case "contains":
      return text !== null && values.some((one) => text.includes(one));
    case "not_contains":
      return text === null || !values.some((one) => text.includes(one));
    case "starts_with":
      return text !== null && values.some((one) => text.startsWith(one));
    case "ends_with":
      return text !== null && values.some((one) => text.endsWith(one));
    case "is_true":
      return text?.toLowerCase() === "true";
    case "is_false":
      return text?.toLowerCase() === "false";
  }
}
