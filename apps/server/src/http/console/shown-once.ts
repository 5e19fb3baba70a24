/** A body with null at a place such as `data.key`, or `data[].token` for each item of a list. Absent values and nulls stay. */
export function withNullAt<T>(body: T, place: string): T {
  return blank(body, place.split(".")) as T;
}

function blank(value: unknown, [step = "", ...rest]: string[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  const name = step.replace(/\[\]$/, "");
  const part = (value as Record<string, unknown>)[name];
  if (part === undefined || part === null) return value;
  const blanked = (one: unknown) => (rest.length === 0 ? null : blank(one, rest));
  return { ...value, [name]: step === name ? blanked(part) : (part as unknown[]).map(blanked) };
}
