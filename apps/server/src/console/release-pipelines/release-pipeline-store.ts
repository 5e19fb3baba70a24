import { Prisma } from "../../generated/prisma/client.ts";
import { lock } from "../../store/database/locks.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_NAME } from "../common/listed.ts";
import { EVERYWHERE } from "../common/parts-elsewhere.ts";
import type { NamedKind } from "../slice.ts";
import { namedByReleasePipeline, type ReleasePipeline } from "./release-pipeline.ts";

export const releasePipelineKind: NamedKind<"release_pipeline", ReleasePipeline> = {
  table: "release_pipeline",
  type: "release_pipeline",
  getID: (pipeline) => pipeline.id,
  references: namedByReleasePipeline,
  columns: {},
  listing: BY_NAME,
  named: { as: "release_pipeline", check: "exists", isArchived: Prisma.sql`false` },
  ruleset: null,
  needs: null,
  reach: EVERYWHERE,
};

export function createReleasePipelineStore(deps: StoreDeps) {
  const store = entityStore(deps, releasePipelineKind);
  return {
    ...store,
    /** Whether no pipeline has this ID. If so, no other transaction can take it before this one ends. */
    async reserve(id: string): Promise<boolean> {
      await lock(deps.db, `release pipeline ${deps.projectID} ${id}`);
      return (await store.find(id)) === undefined;
    },
  };
}
