import type { Schema } from "@gatehouse/contract/console";

type ExposureCount = Schema<"ExposureCount">;

/** The types whose exposures are counted, as requests name them. */
export type ExposedType = "experiments" | "gates" | "dynamicConfigs";

/** The exposures of an entity. Undefined if the entity does not exist. */
export type Counted = { id: string; counts: Omit<ExposureCount, "id"> | undefined };

export function toAnswer(counted: readonly Counted[]): ExposureCount[] {
  return counted.flatMap(({ id, counts }) => (counts ? [{ id, ...counts }] : []));
}
