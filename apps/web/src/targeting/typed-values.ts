/** The types of values that applications read one by one. */
export type Kind = "string" | "number" | "boolean" | "object" | "array";

type Value = string | number | boolean | unknown[] | { [name: string]: unknown };

/** Reads and writes numbers as one reader types them. */
export type NumberNotation = { read: (text: string) => number | undefined; write: (number: number) => string };

const KINDS: Readonly<Record<Kind, { label: string; one: string; is: (value: unknown) => boolean }>> = {
  string: { label: "Text", one: "a text", is: (value) => typeof value === "string" },
  number: { label: "Number", one: "a number", is: Number.isFinite },
  boolean: { label: "True or false", one: "true or false", is: (value) => typeof value === "boolean" },
  object: {
    label: "Object",
    one: "an object in JSON",
    is: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  },
  array: { label: "List", one: "a list in JSON", is: Array.isArray },
};

export const KIND_OPTIONS = (Object.keys(KINDS) as Kind[]).map((id) => ({ id, label: KINDS[id].label }));

/** The name of the type as forms show it, within a sentence. */
export const kindLabel = (kind: Kind): string => KINDS[kind].label.toLowerCase();

/** The name of a value of the type, in a sentence. */
export const kindNoun = (kind: Kind): string => KINDS[kind].one;

/** The value that a text stands for; undefined if the type has no such value. A text stands for itself. Numbers in objects and lists are JSON. */
export function parsed(kind: Kind, text: string, numbers: NumberNotation): Value | undefined {
  if (kind === "string") return text;
  if (kind === "number") return numbers.read(text);
  try {
    const value: unknown = JSON.parse(text);
    return KINDS[kind].is(value) ? (value as Value) : undefined;
  } catch {
    return undefined;
  }
}

/** A value as the text that stands for it. */
export function toText(value: unknown, numbers: NumberNotation): string {
  if (typeof value === "number") return numbers.write(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}
