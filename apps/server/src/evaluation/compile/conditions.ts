import type { Condition } from "@gatehouse/evaluation";

type Details = { operator?: string; targetValue?: unknown; field?: string; salt?: string };

/** A condition with every field that the wire has, since older SDKs expect them all. */
export function condition(type: string, idType: string, { operator, targetValue, field, salt }: Details = {}): Condition {
  return {
    type,
    targetValue: targetValue ?? null,
    operator: operator ?? null,
    field: field ?? null,
    additionalValues: salt === undefined ? {} : { salt },
    idType,
  };
}

/** Holds for all. */
export function everyone(idType: string): Condition {
  return condition("public", idType);
}

/** Holds for none, and is known to every SDK: one that it does not know would make the whole spec unsupported. */
export function nobody(idType: string): Condition {
  return condition("unit_id", idType, { operator: "any", targetValue: [] });
}

export function passesGate(name: string, idType: string): Condition {
  return condition("pass_gate", idType, { targetValue: name });
}

export function failsGate(name: string, idType: string): Condition {
  return condition("fail_gate", idType, { targetValue: name });
}

/** Holds for the units whose bucket of the salt is among the given. */
export function inBuckets(operator: "any" | "none", buckets: readonly number[], salt: string, idType: string): Condition {
  const inOrder = buckets.toSorted((a, b) => a - b);
  return condition("user_bucket", idType, { operator, targetValue: inOrder.map(String), salt });
}

/** Holds for the units whose bucket of the salt is below a bound, 0–1000. */
export function belowBucket(bound: number, salt: string, idType: string): Condition {
  return condition("user_bucket", idType, { operator: "lt", targetValue: bound, salt });
}

/**
 * Conditions of which one holds exactly for the units with these ids. It is mostly a single one: SDKs of the newer generation keep one of
 * the ids that differ in case alone, so that such ids stand in different conditions.
 */
export function listed(ids: readonly string[], idType: string): Condition[] {
  const lists: string[][] = [];
  const timesSeen = new Map<string, number>();
  for (const id of new Set(ids)) {
    const caseless = id.toLowerCase();
    const seen = timesSeen.get(caseless) ?? 0;
    timesSeen.set(caseless, seen + 1);
    const list = lists[seen] ?? [];
    lists[seen] = list;
    list.push(id);
  }
  return lists.map((targetValue) => condition("unit_id", idType, { operator: "any_case_sensitive", targetValue }));
}
