import { notFound } from "../../errors.ts";
import type { Prisma } from "../../generated/prisma/client.ts";
import { fromText, toText } from "../../store/entity-text.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { gatesNamed } from "../common/condition.ts";
import type { Window } from "../common/page.ts";
import type { DynamicConfig } from "./dynamic-config.ts";

type DynamicConfigFilter = {
  creatorID?: string | null;
  creatorName?: string | null;
  releasePipelineID?: string | null;
  includeArchived?: boolean;
  tags?: string[];
};

type Page = { dynamicConfigs: DynamicConfig[]; total: number };

export function createDynamicConfigStore({ db, projectID, log }: StoreContext) {
  const subject = (id: string) => ({ table: "dynamic_config", key: { projectID, id }, type: "dynamic_config", id }) as const;

  async function find(where: Prisma.DynamicConfigWhereInput, window: Window): Promise<Page> {
    const [rows, total] = await Promise.all([
      db.dynamicConfig.findMany({ where, ...window, orderBy: [{ createdTime: "desc" }, { id: "asc" }], select: { entity: true } }),
      db.dynamicConfig.count({ where }),
    ]);
    return { dynamicConfigs: rows.map(toDynamicConfig), total };
  }

  return {
    /** Newest first. */
    list: (filter: DynamicConfigFilter, window: Window) => find(toWhere(projectID, filter), window),

    /** Those in use whose rules name the gate, newest first. */
    listReferencingGate: (gateID: string, window: Window) =>
      find({ projectID, isArchived: false, referencedGates: { has: gateID } }, window),

    /** @throws AppError not_found */
    async get(id: string): Promise<DynamicConfig> {
      const row = await db.dynamicConfig.findUnique({ where: { projectID_id: { projectID, id } }, select: { entity: true } });
      if (!row) throw notFound("Dynamic config", id);
      return toDynamicConfig(row);
    },

    create: (config: DynamicConfig) => log.create(subject(config.id), config, toColumns(config)),
    replace: (before: DynamicConfig, after: DynamicConfig, reason?: string) =>
      log.replace(subject(before.id), before, after, toColumns(after), reason),
    delete: (config: DynamicConfig) => log.delete(subject(config.id), config),
  };
}

function toWhere(projectID: string, { includeArchived, tags, ...columns }: DynamicConfigFilter): Prisma.DynamicConfigWhereInput {
  return {
    projectID,
    ...columns,
    ...(!includeArchived && { isArchived: false }),
    ...(tags && { tags: { hasEvery: tags } }),
  };
}

function toDynamicConfig({ entity }: { entity: string }): DynamicConfig {
  return fromText(entity);
}

function toColumns(config: DynamicConfig) {
  return {
    version: config.version,
    createdTime: config.createdTime,
    creatorID: config.creatorID,
    creatorName: config.creatorName,
    releasePipelineID: config.releasePipelineID,
    tags: config.tags,
    isArchived: config.status === "Archived",
    referencedGates: gatesNamed(config.rules.flatMap(({ conditions }) => conditions)),
    entity: toText(config),
  };
}
