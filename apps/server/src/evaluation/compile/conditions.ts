import type { Condition } from "@gatehouse/evaluation";

type Details = { operator?: string; targetValue?: unknown; field?: string; salt?: string };

/** A condition with every field of the wire format, since older SDKs expect all of them. */
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

/** Matches everyone. */
export function everyone(idType: string): Condition {
  return condition("public", idType);
}

/** Never matches. Every SDK knows this type; an unknown one would make the whole spec unsupported. */
export function nobody(idType: string): Condition {
  return condition("unit_id", idType, { operator: "any", targetValue: [] });
}

export function passesGate(name: string, idType: string): Condition {
  return condition("pass_gate", idType, { targetValue: name });
}

export function failsGate(name: string, idType: string): Condition {
  return condition("fail_gate", idType, { targetValue: name });
}

/** Matches the units whose bucket for the salt is one of the given, or none of them. */
export function inBuckets(operator: "any" | "none", buckets: readonly number[], salt: string, idType: string): Condition {
  const inOrder = buckets.toSorted((a, b) => a - b);
  return condition("user_bucket", idType, { operator, targetValue: inOrder.map(String), salt });
}

/** Matches the units whose bucket for the salt is below a bound, 0–1000. */
export function belowBucket(bound: number, salt: string, idType: string): Condition {
  return condition("user_bucket", idType, { operator: "lt", targetValue: bound, salt });
}

/**
 * Conditions for exactly the units with these ids: at least one of them matches. Ids that differ only in case are in different conditions:
 * SDKs of the newer generation would keep only one of them. So usually a single condition is enough.
 */
export function idConditions(ids: readonly string[], idType: string): Condition[] {
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
