import { notFound } from "../../errors.ts";
import { fromText, toText } from "../../store/entity-text.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import type { ReleasePipeline } from "./release-pipeline.ts";

export function createReleasePipelineStore({ db, projectID, log }: StoreContext) {
  const subject = (id: string) => ({ table: "release_pipeline", key: { projectID, id }, type: "release_pipeline", id }) as const;
  return {
    /** Newest first. */
    async list(window: Window): Promise<ReleasePipeline[]> {
      const rows = await db.releasePipeline.findMany({
        where: { projectID },
        ...window,
        orderBy: [{ createdTime: "desc" }, { id: "asc" }],
        select: { entity: true },
      });
      return rows.map(toReleasePipeline);
    },

    /** @throws AppError not_found */
    async get(id: string): Promise<ReleasePipeline> {
      const row = await db.releasePipeline.findUnique({ where: { projectID_id: { projectID, id } }, select: { entity: true } });
      if (!row) throw notFound("Release pipeline", id);
      return toReleasePipeline(row);
    },

    create: (pipeline: ReleasePipeline) => log.create(subject(pipeline.id), pipeline, toColumns(pipeline)),
    delete: (pipeline: ReleasePipeline) => log.delete(subject(pipeline.id), pipeline),
  };
}

function toReleasePipeline({ entity }: { entity: string }): ReleasePipeline {
  return fromText(entity);
}

function toColumns(pipeline: ReleasePipeline) {
  return { version: pipeline.version, createdTime: pipeline.createdTime, entity: toText(pipeline) };
}
