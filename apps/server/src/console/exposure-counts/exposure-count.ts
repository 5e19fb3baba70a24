import type { Schema } from "@gatehouse/contract/console";

type ExposureCount = Schema<"ExposureCount">;

/** What the exposures of are counted, as a request names it. */
export type ExposedType = "experiments" | "gates" | "dynamicConfigs";

/** The exposures of an entity. Undefined if there is no such entity. */
export type Counted = { id: string; counts: Omit<ExposureCount, "id"> | undefined };

export function toAnswer(counted: readonly Counted[]): ExposureCount[] {
  return counted.flatMap(({ id, counts }) => (counts ? [{ id, ...counts }] : []));
}
