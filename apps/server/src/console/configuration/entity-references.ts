import { metricID } from "../common/named.ts";
import type { ConfiguredKind } from "./configured-kinds.ts";

type Named = { kind: ConfiguredKind; id: string };

/** The types of conditions that name an entity as their target. */
const CONDITIONS: { [type: string]: ConfiguredKind } = {
  passes_gate: "gates",
  fails_gate: "gates",
  passes_segment: "segments",
  fails_segment: "segments",
};

/** The references of an entity to others that may be of the same kind, or of one that comes later. */
export function referencesIn(value: unknown): Named[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== "object" || value === null) return [];
  const { type, targetValue, targetingGateID, name } = value as { [field: string]: unknown };
  const kind = typeof type === "string" && Object.hasOwn(CONDITIONS, type) ? CONDITIONS[type] : undefined;
  return [
    ...(kind ? [targetValue].flat().flatMap((id) => (typeof id === "string" ? [{ kind, id }] : [])) : []),
    ...(typeof targetingGateID === "string" ? [{ kind: "gates" as const, id: targetingGateID }] : []),
    ...(typeof name === "string" && typeof type === "string" ? [{ kind: "metrics" as const, id: metricID({ name, type }) }] : []),
    ...Object.values(value).flatMap(referencesIn),
  ];
}
