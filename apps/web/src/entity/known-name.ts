import { query, queryClient } from "../api.ts";

/** Operations that read one entity by its ID. */
type Read = "getGate" | "getDynamicConfig" | "getExperiment" | "getLayer";

/** The name of an entity, if a page has read the entity. */
export function knownName(read: Read, id: string): string | undefined {
  // Each operation takes the path of a gate's.
  return queryClient.getQueryData(query(read as "getGate", { path: { id } }).queryKey)?.data.name;
}
