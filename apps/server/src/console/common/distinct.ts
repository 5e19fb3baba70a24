import type { Violation } from "../../common/errors.ts";

/**
 * Rejects each item whose `key` an earlier item has. Items with an empty or missing key are ignored.
 * @param place of the list in the body; empty if the list is the body
 */
export function checkDistinct<Key extends string>(
  items: { [K in Key]?: string | null }[],
  key: Key,
  place: string,
  violations: Violation[],
  { ignoresCase = false } = {},
): void {
  const seen = new Map<string, string>();
  for (const [index, item] of items.entries()) {
    const value = item[key];
    if (!value) continue;
    const name = ignoresCase ? value.toLowerCase() : value;
    if (seen.has(name)) {
      violations.push({
        property: `${place}[${index}].${key}`,
        errorMessage: `must be unique in ${place || "the body"}, but ${value} is given twice${seen.get(name) === value ? "" : ", in upper and lower case"}`,
      });
    }
    seen.set(name, value);
  }
}
