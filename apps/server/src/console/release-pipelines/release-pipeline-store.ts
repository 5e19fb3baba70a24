import { conflict } from "../../common/errors.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { lock } from "../../store/database/locks.ts";
import { type DeleteOptions, entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_NAME, BY_OWNER } from "../common/listed.ts";
import type { Window } from "../common/page.ts";
import { EVERYWHERE } from "../common/parts-elsewhere.ts";
import { createReleaseStore } from "../releases/release-store.ts";
import type { NamedKind } from "../slice.ts";
import { namedByReleasePipeline, type ReleasePipeline } from "./release-pipeline.ts";

export const releasePipelineKind: NamedKind<"release_pipeline", ReleasePipeline> = {
  table: "release_pipeline",
  type: "release_pipeline",
  getID: (pipeline) => pipeline.id,
  references: namedByReleasePipeline,
  columns: BY_OWNER,
  listing: BY_NAME,
  named: { as: "release_pipeline", check: "exists", isArchived: Prisma.sql`false` },
  ruleset: null,
  needs: null,
  reach: EVERYWHERE,
};

export function createReleasePipelineStore(deps: StoreDeps) {
  const store = entityStore(deps, releasePipelineKind);

  /** Releases that start lock the pipeline too, so none can start meanwhile. */
  async function requireUnused({ id }: ReleasePipeline, participle: string): Promise<void> {
    await store.find(id, { lock: true });
    const count = await createReleaseStore(deps).countActive(id);
    if (count === 0) return;
    const releases = count === 1 ? "a release is" : `${count} releases are`;
    throw conflict(`Release pipeline ${id} cannot be ${participle} while ${releases} in progress. Complete or abort them first.`);
  }

  return {
    ...store,

    /** Newest first. */
    list: (filter: { teamID?: string; ownerID?: string }, window: Window) => store.listWhere(filters.equal(filter), window),

    /** @throws AppError conflict if `before` is outdated, or releases are in progress */
    async replace(before: ReleasePipeline, after: ReleasePipeline): Promise<ReleasePipeline> {
      await requireUnused(before, "changed");
      return store.replace(before, after);
    },

    /** @throws AppError conflict if `pipeline` is outdated or referenced, or releases are in progress */
    async delete(pipeline: ReleasePipeline, options?: DeleteOptions): Promise<void> {
      await requireUnused(pipeline, "deleted");
      await store.delete(pipeline, options);
    },

    /** Whether no pipeline has this ID. If so, no other transaction can take it before this one ends. */
    async reserve(id: string): Promise<boolean> {
      await lock(deps.db, `release pipeline ${deps.projectID} ${id}`);
      return (await store.find(id)) === undefined;
    },
  };
}
