import { invalidate, type Request, type Schema } from "../api.ts";

export type Release = Schema<"Release">;

/** The statuses of releases that have not ended. */
export const ACTIVE = ["IN_PROGRESS", "PAUSED", "WAITING_FOR_REVIEW"] as const satisfies readonly Release["status"][];

export const isActive = ({ status }: Pick<Release, "status">): boolean => status !== "COMPLETED" && status !== "ABORTED";

const MAX_ACTIVE = 100;

/** Releases of a pipeline that have not ended. */
export const activeReleasesOf = (releasePipelineID: string): Request<"listReleases"> => ({
  query: { releasePipelineID, status: [...ACTIVE], limit: MAX_ACTIVE },
});

/** Reads again what a step of a release changes. */
export const readAfterStep = (): Promise<unknown> =>
  invalidate(
    ...(["getRelease", "listReleases", "listChanges"] as const),
    ...(["getGate", "listGates", "listGateVersions", "getDynamicConfig", "listDynamicConfigs", "listDynamicConfigVersions"] as const),
  );
