import type { Prisma } from "../../generated/prisma/client.ts";
import { entityStore, type Kind, type WriteOptions } from "../../store/entity-store.ts";
import { filters } from "../../store/filters.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { holdConfigID } from "../common/config-id-store.ts";
import type { Window } from "../common/page.ts";
import { nextRollout } from "../common/rollout.ts";
import { type DynamicConfig, namedByDynamicConfig } from "./dynamic-config.ts";
import { createDynamicConfigCheckStore, foundConfigChecks } from "./dynamic-config-check-store.ts";

type DynamicConfigFilter = {
  creatorID?: string | null;
  creatorName?: string | null;
  releasePipelineID?: string | null;
  idType?: string[];
  tags?: string[];
  targetAppID?: string;
  includeArchived?: boolean;
};

const kind: Kind<DynamicConfig> = {
  table: "dynamic_config",
  type: "dynamic_config",
  idOf: ({ id }) => id,
  references: namedByDynamicConfig,
  isArchived: ({ status }) => status === "Archived",
  columns: (config) => ({
    creatorID: config.creatorID,
    creatorName: config.creatorName,
    releasePipelineID: config.releasePipelineID,
    idType: config.idType,
    tags: config.tags,
    targetApps: config.targetApps,
    isArchived: config.status === "Archived",
  }),
  unlistedColumns: (config) => ({ dueTime: config.status === "Archived" ? null : nextRollout(config.rules) }),
};

/** @param now ms since the epoch */
export function createDynamicConfigStore(context: StoreContext, { now }: { now: number }) {
  const store = entityStore(context, { ...kind, found: foundConfigChecks(now) });
  const checks = createDynamicConfigCheckStore(context);
  return {
    ...store,

    /** @throws AppError conflict if a dynamic config or an experiment has its id */
    async create(config: DynamicConfig): Promise<DynamicConfig> {
      await holdConfigID(context, "dynamic_config", config.id);
      return store.create(config);
    },

    async delete(config: DynamicConfig, options?: WriteOptions): Promise<void> {
      await store.delete(config, options);
      await checks.delete(config.id);
    },

    /** Newest first. */
    list: (filter: DynamicConfigFilter, window: Window) => store.listWhere(toFilters(context.projectID, filter), window),
  };
}

function toFilters(projectID: string, { includeArchived, idType, tags, targetAppID, ...columns }: DynamicConfigFilter): Prisma.Sql[] {
  return [
    ...filters.equal({ ...columns, isArchived: includeArchived ? undefined : false }),
    ...filters.oneOf({ idType }),
    ...filters.holding({ tags }),
    ...filters.ofTargetApp(projectID, targetAppID),
  ];
}
