/** A copy of the entity with `value` at a place, such as `tags[0]` or `rules[1].conditions[0].customID`. Does not change the original. */
export function putAt<T>(entity: T, place: string, value: unknown): T {
  return put(entity, place.match(/[^.[\]]+/g) ?? [], value) as T;
}

function put(whole: unknown, [step, ...rest]: string[], value: unknown): unknown {
  if (step === undefined) return value;
  const part = put((whole as Record<string, unknown>)[step], rest, value);
  return Array.isArray(whole) ? whole.with(Number(step), part) : { ...(whole as object), [step]: part };
}
