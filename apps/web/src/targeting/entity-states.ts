// An entity before and after a change, from the change's fields and one of its states. Pure.
import { equal } from "./equal.ts";
import { isSetByServer } from "./server-fields.ts";

type FieldChange = { field: string; before: unknown; after: unknown };
/** Both states of an entity. */
export type States = { before: object; after: object };

/**
 * An entity before and after its fields changed. Fields that the server sets are those of the base.
 * @param base the entity in one of the two states
 * @returns undefined if the base is in neither state
 */
export function statesOf(fields: readonly FieldChange[], base: object): States | undefined {
  const changed = fields.filter(({ field }) => !isSetByServer(field));
  const isIn = (side: "before" | "after") => changed.every((one) => equal(valueAt(base, one.field) ?? null, one[side] ?? null));
  const side = isIn("before") ? "before" : isIn("after") ? "after" : undefined;
  if (side === undefined) return undefined;
  const other = side === "before" ? "after" : "before";
  const result = changed.reduce<unknown>((entity, one) => withValue(entity, one.field, one[other]), base) as object;
  return side === "before" ? { before: base, after: result } : { before: result, after: base };
}

/** The entity that a creation or restoration makes. Undefined for other changes. */
export function createdState(fields: readonly FieldChange[]): object | undefined {
  const isNew = fields.length > 0 && fields.every(({ field, before }) => before === null && !/[.[]/.test(field));
  return isNew ? Object.fromEntries(fields.map(({ field, after }) => [field, after])) : undefined;
}

/** The items of lists that a path leads through: `[["rules", {…}]]` of `rules[0].name`, and the rest of the path after the last of them. */
export function itemsAlong(base: unknown, path: string): { items: { list: string; item: unknown }[]; rest: string } {
  const items: { list: string; item: unknown }[] = [];
  let [value, left, list, rest] = [base, path, "", path];
  for (let step = firstStepOf(value, left); step !== undefined; step = firstStepOf(value, left)) {
    value = (value as Record<string, unknown>)[step.key];
    left = step.rest;
    if (step.isItem) {
      items.push({ list, item: value });
      rest = left;
    }
    list = step.key;
  }
  return { items, rest };
}

type Step = { key: string; rest: string; isItem: boolean };

/** The first step of a path within a value. Names of callers can contain dots and brackets, so the longest name that fits counts. */
function firstStepOf(value: unknown, path: string): Step | undefined {
  if (path === "" || typeof value !== "object" || value === null) return undefined;
  const [whole, index] = /^\[(\d+)\]\.?/.exec(path) ?? [];
  if (whole !== undefined && index !== undefined && Object.hasOwn(value, index)) {
    return { key: index, rest: path.slice(whole.length), isItem: Array.isArray(value) };
  }
  const fits = Object.keys(value).filter((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`));
  const key = fits.toSorted((a, b) => b.length - a.length)[0];
  return key === undefined ? undefined : { key, rest: path.slice(key.length).replace(/^\./, ""), isItem: false };
}

function valueAt(base: unknown, path: string): unknown {
  const step = firstStepOf(base, path);
  if (step === undefined) return undefined;
  const value = (base as Record<string, unknown>)[step.key];
  return step.rest === "" ? value : valueAt(value, step.rest);
}

/** A copy with another value at a path. A value of null removes the field. */
function withValue(base: unknown, path: string, value: unknown): unknown {
  const step = firstStepOf(base, path);
  const key = step?.key ?? path;
  const changed = step === undefined || step.rest === "" ? value : withValue((base as Record<string, unknown>)[key], step.rest, value);
  if (Array.isArray(base)) return base.map((item: unknown, index) => (String(index) === key ? changed : item));
  const { [key]: _, ...others } = base as Record<string, unknown>;
  return changed === null || changed === undefined ? others : { ...others, [key]: changed };
}
