import { useQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import type { Phase } from "../targeting/phases.ts";
import { isActive, type Release } from "./reads.ts";

const NONE: readonly Phase[] = [];

/**
 * The phases of a release's pipeline, which can't change before the release ends. Undefined while they are read. After the end, the pipeline may
 * have other phases, or be gone, so there are none.
 */
export function usePhases(release: Release | undefined): readonly Phase[] | undefined {
  const isRead = release !== undefined && isActive(release);
  const { data } = useQuery({
    ...query("getReleasePipeline", { path: { id: release?.releasePipelineID ?? "" } }),
    enabled: isRead,
  });
  if (release !== undefined && !isRead) return NONE;
  return data?.data.phases;
}
