import { notFound } from "../../errors.ts";
import type { Prisma } from "../../generated/prisma/client.ts";
import { fromText, toText } from "../../store/entity-text.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { listVersions } from "../../store/versions.ts";
import type { Window } from "../common/page.ts";
import type { Experiment } from "./experiment.ts";

type ExperimentFilter = {
  creatorID?: string | null;
  creatorName?: string | null;
  idType?: string;
  layerID?: string;
  teamID?: string;
  status?: Experiment["status"][];
  tags?: string[];
};

export function createExperimentStore({ db, projectID, log }: StoreContext) {
  const subject = (id: string) => ({ table: "experiment", key: { projectID, id }, type: "experiment", id }) as const;
  return {
    /** Newest first. */
    async list(filter: ExperimentFilter, window: Window): Promise<{ experiments: Experiment[]; total: number }> {
      const where = toWhere(projectID, filter);
      const [rows, total] = await Promise.all([
        db.experiment.findMany({ where, ...window, orderBy: [{ createdTime: "desc" }, { id: "asc" }], select: { entity: true } }),
        db.experiment.count({ where }),
      ]);
      return { experiments: rows.map(toExperiment), total };
    },

    /** @throws AppError not_found */
    async get(id: string): Promise<Experiment> {
      const row = await db.experiment.findUnique({ where: { projectID_id: { projectID, id } }, select: { entity: true } });
      if (!row) throw notFound("Experiment", id);
      return toExperiment(row);
    },

    /** Newest first, each as the whole experiment that it was. @throws AppError not_found */
    async listVersions(id: string, window: Window): Promise<{ experiments: Experiment[]; total: number }> {
      const isThere = await db.experiment.count({ where: { projectID, id } });
      if (!isThere) throw notFound("Experiment", id);
      const { versions, total } = await listVersions(db, projectID, "experiment", id, window);
      return { experiments: versions.map((entity) => toExperiment({ entity })), total };
    },

    async hasLayer(id: string | null | undefined): Promise<boolean> {
      return typeof id === "string" && (await db.layer.count({ where: { projectID, id } })) > 0;
    },

    create: (experiment: Experiment) => log.create(subject(experiment.id), experiment, toColumns(experiment)),
    replace: (before: Experiment, after: Experiment) => log.replace(subject(before.id), before, after, toColumns(after)),
    delete: (experiment: Experiment) => log.delete(subject(experiment.id), experiment),
  };
}

function toWhere(projectID: string, { status, tags, ...columns }: ExperimentFilter): Prisma.ExperimentWhereInput {
  return {
    projectID,
    ...columns,
    ...(status && { status: { in: status } }),
    ...(tags && { tags: { hasEvery: tags } }),
  };
}

function toExperiment({ entity }: { entity: string }): Experiment {
  return fromText(entity);
}

function toColumns(experiment: Experiment) {
  return {
    version: experiment.version,
    createdTime: experiment.createdTime,
    creatorID: experiment.creatorID,
    creatorName: experiment.creatorName,
    status: experiment.status,
    layerID: experiment.layerID,
    idType: experiment.idType,
    teamID: experiment.teamID,
    tags: experiment.tags,
    entity: toText(experiment),
  };
}
