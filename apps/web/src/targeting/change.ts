import { type Part, text, valueList } from "./parts.ts";

/** One change of an entity, in words. */
export type Change = {
  kind: "added" | "removed" | "changed" | "moved";
  /** The path of the field in the entity after the change, or before it if it was removed, such as `rules[0].passPercentage`. */
  field: string;
  parts: Part[];
  /** Further fields whose changes the sentence says. */
  covers?: readonly string[];
  /** Both texts, where a person wants to see their differences. */
  diff?: { before: string; after: string };
};

/** Additions to a list of names and removals: “+ a, b, − c”. Empty if only the order changed. */
export function listChange(before: readonly (string | number)[], after: readonly (string | number)[], shown?: number): Part[] {
  const [added, removed] = [missingIn(before, after), missingIn(after, before)];
  return [
    ...(added.length === 0 ? [] : [text("+"), ...valueList(added, shown)]),
    ...(removed.length === 0 ? [] : [text(added.length === 0 ? "−" : ", −"), ...valueList(removed, shown)]),
  ];
}

function missingIn<Item extends string | number>(list: readonly Item[], items: readonly Item[]): Item[] {
  const has = new Set(list);
  return items.filter((item) => !has.has(item));
}
