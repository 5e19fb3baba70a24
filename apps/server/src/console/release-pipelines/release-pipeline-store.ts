import { Prisma } from "../../generated/prisma/client.ts";
import { entityStore } from "../../store/entity-store.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import { EVERYWHERE } from "../common/reach.ts";
import type { NamedKind } from "../slice.ts";
import { namedByReleasePipeline, type ReleasePipeline } from "./release-pipeline.ts";

export const releasePipelineKind: NamedKind<"release_pipeline", ReleasePipeline> = {
  table: "release_pipeline",
  type: "release_pipeline",
  idOf: (pipeline) => pipeline.id,
  references: namedByReleasePipeline,
  columns: {},
  named: { as: "release_pipeline", check: "exists", isArchived: Prisma.sql`false` },
  ruleset: null,
  needs: null,
  reach: EVERYWHERE,
};

export function createReleasePipelineStore(deps: StoreDeps) {
  return entityStore(deps, releasePipelineKind);
}
