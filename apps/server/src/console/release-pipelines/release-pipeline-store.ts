import { entityStore, type Kind } from "../../store/entity-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { namedByReleasePipeline, type ReleasePipeline } from "./release-pipeline.ts";

const kind: Kind<ReleasePipeline> = {
  table: "release_pipeline",
  type: "release_pipeline",
  idOf: ({ id }) => id,
  references: namedByReleasePipeline,
  columns: () => ({}),
};

export function createReleasePipelineStore(context: StoreContext) {
  return entityStore(context, kind);
}
