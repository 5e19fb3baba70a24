import { entityStore, type Kind } from "../../store/entity-store.ts";
import { filters } from "../../store/filters.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import { type DynamicConfig, namedByDynamicConfig } from "./dynamic-config.ts";

type DynamicConfigFilter = {
  creatorID?: string | null;
  creatorName?: string | null;
  releasePipelineID?: string | null;
  includeArchived?: boolean;
  tags?: string[];
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
    tags: config.tags,
    isArchived: config.status === "Archived",
  }),
};

export function createDynamicConfigStore(context: StoreContext) {
  const store = entityStore(context, kind);
  return {
    ...store,

    /** Newest first. */
    list({ includeArchived, tags, ...columns }: DynamicConfigFilter, window: Window) {
      const isArchived = includeArchived ? undefined : false;
      return store.list([...filters.equal({ ...columns, isArchived }), ...filters.holding({ tags })], window);
    },
  };
}
