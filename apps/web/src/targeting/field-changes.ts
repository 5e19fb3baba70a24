import { listed } from "../ui/list-text.ts";
import { type Change, listChange } from "./change.ts";
import { equal } from "./equal.ts";
import { fieldName, isNothing, type KnownNames, plainValue } from "./field-words.ts";
import { metricName } from "./metric-id.ts";
import { ownerText } from "./owner-fields.ts";
import { isCut, type Part, subject, text } from "./parts.ts";
import { reviewSettingsText } from "./review-settings.ts";
import { FOLLOWING } from "./team-fields.ts";

/** The name of a field, and how its change is described. `text`: as a diff. `names`: as additions and removals. */
export type FieldWords = { label: string; as: "text" | "switch" | "value" | "names" | "owner" | "review" | "json" };

/** Marks a field that the server sets, whose changes people don't need to see. */
export const BY_SERVER = null;

/** The fields that differ, in words and in the order of `words`. A field that is absent counts as null. */
export function fieldChanges<Words extends Readonly<Record<string, FieldWords | null>>>(
  words: Words,
  before: { readonly [Field in keyof Words]?: unknown },
  after: { readonly [Field in keyof Words]?: unknown },
  names?: KnownNames,
): Change[] {
  const read = (field: string): [unknown, unknown] => [before[field] ?? null, after[field] ?? null];
  const changed = Object.keys(words).filter((field) => !equal(...read(field)));
  return changed.flatMap((field) => {
    const shown: FieldWords | null = words[field] ?? null;
    return shown === null || changed.includes(FOLLOWING[field] ?? "") ? [] : [fieldChange(field, shown, read(field), names)];
  });
}

/** The fields of a new entity, in the same words and order. Those that are empty or off are left out. */
export function fieldContents(words: Readonly<Record<string, FieldWords | null>>, entity: object, names?: KnownNames): Change[] {
  const read = (field: string): unknown => (entity as Record<string, unknown>)[field];
  return Object.entries(words).flatMap(([field, shown]): Change[] => {
    const given = read(field);
    if (shown === null || given === false || isNothing(given) || !isNothing(read(FOLLOWING[field] ?? ""))) return [];
    return [{ kind: "added", field, parts: content(field, shown, given, names) }];
  });
}

function content(field: string, { label, as }: FieldWords, given: unknown, names?: KnownNames): Part[] {
  if (as === "switch") return [text(`${label} on`)];
  const words =
    as === "owner" ? ownerText(given) : as === "review" ? reviewSettingsText(given) : as === "names" ? listed(toNames(given)) : given;
  return [subject(label), text(":"), plainValue(field, words, names)];
}

function fieldChange(field: string, { label, as }: FieldWords, [old, now]: [unknown, unknown], names?: KnownNames): Change {
  const change = (parts: Part[]): Change => ({ kind: "changed", field, parts });
  switch (as) {
    case "switch":
      return change([text(`${label} ${now === true ? "on" : "off"}`)]);
    case "text":
      return { kind: "changed", field, parts: [subject(label), text("changed")], diff: { before: toText(old), after: toText(now) } };
    case "names": {
      const difference = listChange(toNames(old), toNames(now), Number.POSITIVE_INFINITY);
      if (difference.length > 0) return change([subject(label), text(":"), ...difference]);
      return isReordered(old, now) ? change([subject(label), text("in another order")]) : valueChange(field, label, old, now);
    }
    case "value":
      return change([subject(label), text(":"), plainValue(field, old, names), text("→"), plainValue(field, now, names)]);
    case "owner": {
      const [before, after] = [ownerText(old), ownerText(now)];
      // Without another name, something else of the owner differs.
      if (before === after) return valueChange(field, label, old, now);
      return change([subject(label), text(":"), plainValue(field, before), text("→"), plainValue(field, after)]);
    }
    case "review": {
      const [before, after] = [reviewSettingsText(old), reviewSettingsText(now)];
      if (before === after) return valueChange(field, label, old, now);
      return change([subject(label), text(":"), plainValue(field, before), text("→"), plainValue(field, after)]);
    }
    case "json":
      return valueChange(field, label, old, now);
  }
}

/** A change that no sentence exists for, by the name of its field. */
export const plainChange = (field: string, before: unknown, after: unknown, names?: KnownNames): Change =>
  valueChange(field, fieldName(field), before, after, names);

/** A change from one value to another, and both as texts to compare if one of them is long. */
function valueChange(field: string, label: string, before: unknown, after: unknown, names?: KnownNames): Change {
  const [old, now] = [plainValue(field, before, names), plainValue(field, after, names)];
  if (!isCut(old) && !isCut(now)) return { kind: "changed", field, parts: [subject(label), text(":"), old, text("→"), now] };
  return { kind: "changed", field, parts: [subject(label), text("changed")], diff: { before: toText(before), after: toText(after) } };
}

/** A value of a field as a text, to compare two. */
export function fieldText({ as }: FieldWords, given: unknown): string {
  if (as === "text") return toText(given) || "Empty";
  if (as === "owner") return ownerText(given) || "None";
  if (as === "review") return reviewSettingsText(given);
  if (as === "names") return toNames(given).join(", ") || "None";
  if (given === null || given === undefined || given === "") return "None";
  if (typeof given === "boolean") return given ? "Yes" : "No";
  return typeof given === "string" || typeof given === "number" ? String(given) : JSON.stringify(given, undefined, 2);
}

function toText(given: unknown): string {
  return typeof given === "string" ? given : given === null || given === undefined ? "" : JSON.stringify(given, null, 2);
}

/** Whether two lists have the same items. */
function isReordered(old: unknown, now: unknown): boolean {
  const inOrder = (list: unknown) => (Array.isArray(list) ? list.map((item) => JSON.stringify(item)).toSorted() : list);
  return equal(inOrder(old), inOrder(now));
}

/** Names, or the names of objects. Those with types are metrics. */
function toNames(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.map((item: unknown) => {
    if (typeof item !== "object" || item === null || !("name" in item)) return String(item);
    return "type" in item ? metricName({ name: String(item.name), type: String(item.type) }) : String(item.name);
  });
}

/** The fields that differ between two versions of an entity. */
export function changedFields(before: object, after: object): { field: string; before: unknown; after: unknown }[] {
  const [old, now] = [before, after] as [Record<string, unknown>, Record<string, unknown>];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .map((field) => ({ field, before: old[field] ?? null, after: now[field] ?? null }))
    .filter((change) => !equal(change.before, change.after));
}
