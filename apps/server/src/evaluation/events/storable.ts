/** Postgres rejects these, even in JSON. */
const UNSTORABLE_CHARACTERS = /[\0\p{Cs}]/u;

/** Whether the database can store a value as JSON: no U+0000, no half of a surrogate pair, no number out of range, at any depth. */
export function isStorable(value: unknown): boolean {
  if (typeof value === "string") return !UNSTORABLE_CHARACTERS.test(value);
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  if (Array.isArray(value)) return value.every(isStorable);
  for (const name in value) {
    if (UNSTORABLE_CHARACTERS.test(name) || !isStorable((value as Record<string, unknown>)[name])) return false;
  }
  return true;
}
