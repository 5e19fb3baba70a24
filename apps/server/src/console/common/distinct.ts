import type { Violation } from "../../errors.ts";

/** Refuses each item of the list at `place`, empty for the body itself, whose `key` an earlier item has already. Items without the key, or with an empty one, do not count. */
export function checkDistinct<Key extends string>(
  items: { [K in Key]?: string | null }[],
  key: Key,
  place: string,
  violations: Violation[],
): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const value = item[key];
    if (!value) continue;
    if (seen.has(value)) {
      violations.push({
        property: `${place}[${index}].${key}`,
        errorMessage: `must be unique in ${place || "the body"}, but ${value} is given twice`,
      });
    }
    seen.add(value);
  }
}
