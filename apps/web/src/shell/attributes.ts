import { useQuery } from "@tanstack/react-query";
import { query, type Schema } from "../api.ts";

const NONE: readonly Schema<"SeenAttribute">[] = [];
/** Attributes change slowly, and the list reads many exposures. */
const STALE_MS = 5 * 60_000;

/** The attributes of users that the project knows. Empty until they have loaded, or if they can't be. */
export function useAttributes(): readonly Schema<"SeenAttribute">[] {
  return useQuery({ ...query("listAttributes", { query: { limit: 1_000 } }), staleTime: STALE_MS }).data?.data ?? NONE;
}
