import { type Change, listChange } from "./change.ts";
import { equal } from "./equal.ts";
import { jsonValue, type Part, subject, text, value } from "./parts.ts";

/** The name of a field, and how its change is described. `text`: as a diff. `names`: as what came and what went. */
export type FieldWords = { label: string; as: "text" | "switch" | "value" | "names" | "json" };

/** Marks a field that the server sets, so that its change tells a person nothing. */
export const BY_SERVER = null;

/** The fields that differ, in words and in the order of `words`. A field that is absent counts as null. */
export function fieldChanges<Words extends Readonly<Record<string, FieldWords | null>>>(
  words: Words,
  before: { readonly [Field in keyof Words]?: unknown },
  after: { readonly [Field in keyof Words]?: unknown },
): Change[] {
  return Object.keys(words).flatMap((field) => {
    const shown: FieldWords | null = words[field] ?? null;
    const [old, now]: [unknown, unknown] = [before[field] ?? null, after[field] ?? null];
    return shown === null || equal(old, now) ? [] : [fieldChange(field, shown, old, now)];
  });
}

function fieldChange(field: string, { label, as }: FieldWords, old: unknown, now: unknown): Change {
  const change = (parts: Part[]): Change => ({ kind: "changed", field, parts });
  switch (as) {
    case "switch":
      return change([text(`${label} ${now === true ? "on" : "off"}`)]);
    case "text":
      return { kind: "changed", field, parts: [subject(label), text("changed")], diff: { before: toText(old), after: toText(now) } };
    case "names": {
      const difference = listChange(toNames(old), toNames(now), Number.POSITIVE_INFINITY);
      return change(difference.length === 0 ? [subject(label), text("in another order")] : [subject(label), text(":"), ...difference]);
    }
    case "value":
      return change([subject(label), text(":"), toValue(old), text("→"), toValue(now)]);
    case "json":
      return change([subject(label), text(":"), jsonValue(old), text("→"), jsonValue(now)]);
  }
}

/** A value of a field as a text, to compare two. */
export function fieldText({ as }: FieldWords, given: unknown): string {
  if (as === "text") return toText(given) || "Empty";
  if (as === "names") return toNames(given).join(", ") || "None";
  if (given === null || given === undefined || given === "") return "None";
  if (typeof given === "boolean") return given ? "Yes" : "No";
  return typeof given === "string" || typeof given === "number" ? String(given) : JSON.stringify(given, undefined, 2);
}

function toText(given: unknown): string {
  return typeof given === "string" ? given : given === null || given === undefined ? "" : JSON.stringify(given, null, 2);
}

/** Names, or the names of objects. */
function toNames(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.map((item: unknown) => (typeof item === "object" && item !== null && "name" in item ? String(item.name) : String(item)));
}

function toValue(given: unknown): Part {
  if (given === null || given === "") return text("none");
  if (typeof given === "boolean") return value(given ? "yes" : "no");
  return typeof given === "string" || typeof given === "number" ? value(given) : jsonValue(given);
}
