import { AppError } from "../../common/errors.ts";
import { requirePermissions } from "../../common/permissions.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { requireUnlimited } from "../../store/entities/write-reach.ts";
import type { Window } from "../common/page.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import { type Phase, type Release, unapproved } from "./release.ts";

const APPROVES = "approve_required_review_release_pipeline_phase";

type Filter = {
  releasePipelineID?: string | null;
  gateID?: string;
  dynamicConfigID?: string;
  status?: Release["status"][];
  startDate?: string;
  endDate?: string;
};

export const releaseKind: EntityKind<"release", Release> = {
  table: "release",
  type: "release",
  getID: (release) => release.id,
  references: null,
  columns: {
    releasePipelineID: ({ releasePipelineID }) => releasePipelineID,
    gateID: ({ gateID = null }) => gateID,
    dynamicConfigID: ({ dynamicConfigID = null }) => dynamicConfigID,
    status: ({ status }) => status,
    dueTime: { unlisted: ({ currentPhaseEndTime }) => currentPhaseEndTime },
    endedTime: { unlisted: ({ endedTime }) => endedTime },
  },
  listing: null,
  named: null,
  ruleset: null,
  needs: null,
  reach: NOWHERE,
};

export function createReleaseStore(deps: StoreDeps) {
  const store = entityStore(deps, releaseKind);
  const { db, projectID, by } = deps;

  /** @throws AppError forbidden unless the caller may approve phases of the release */
  function requireApprover({ id, creatorID }: Release): void {
    requirePermissions(by, [APPROVES]);
    if (creatorID !== by.actor.id || by.permissions.has("self_approve_review")) return;
    const message = `Release ${id} is your own change, and you lack the permission self_approve_review.`;
    throw new AppError("forbidden", `${message} Someone else with the permission ${APPROVES} can approve it.`);
  }

  return {
    ...store,
    requireApprover,

    /**
     * @param phaseID the phase that the release skips to; null for its end
     * @throws AppError forbidden if a phase that it skips needs an approval, which the caller may not give
     */
    requireSkipper(release: Release, phases: readonly Phase[], phaseID: string | null): void {
      if (unapproved(release, phases, phaseID).length > 0) requireApprover(release);
    },

    /** Newest first. */
    list({ status, startDate, endDate, ...columns }: Filter, window: Window) {
      return store.listWhere(
        [...filters.equal(columns), ...filters.oneOf({ status }), ...filters.createdBetween(startDate, endDate)],
        window,
      );
    },

    /** How many releases of a pipeline have not ended. */
    async countActive(releasePipelineID: string): Promise<number> {
      const rows = await db.$queryRaw<{ count: number }[]>`
        select count(*)::int as count from release
        where "projectID" = ${projectID} and "releasePipelineID" = ${releasePipelineID} and "endedTime" is null`;
      return rows[0]?.count ?? 0;
    },

    /** @throws AppError forbidden if the key is limited: a release reaches users of every environment */
    async replace(before: Release, after: Release): Promise<Release> {
      requireUnlimited(`release ${before.id}`, by.limits);
      return store.replace(before, after);
    },
  };
}

/** A release of any project. */
export type Found = { projectID: string; id: string };

/** Releases whose timer runs in a phase with guardrails: the next ones after `after`. */
export async function listGuarded({ db }: Pick<StoreDeps, "db">, after: Found | undefined): Promise<Found[]> {
  return db.$queryRaw<Found[]>`
    select "projectID", id from release where "dueTime" is not null and ("projectID", id) > (${after?.projectID ?? ""}, ${after?.id ?? ""})
      and exists (
        select from release_pipeline as pipeline
        where pipeline."projectID" = release."projectID" and pipeline.id = "releasePipelineID" and pipeline.entity like '%"guardrail%')
    order by "projectID", id limit 100`;
}

/** Deletes releases that ended before a time, ms. */
export async function deleteEndedReleases({ db }: Pick<StoreDeps, "db">, before: number): Promise<void> {
  await db.$executeRaw`delete from release where "endedTime" < ${before}`;
}
