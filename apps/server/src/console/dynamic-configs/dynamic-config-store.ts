import { Prisma } from "../../generated/prisma/client.ts";
import { type DeleteOptions, entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { reserveConfigID } from "../common/config-id-store.ts";
import { BY_NAME, BY_OWNER } from "../common/listed.ts";
import { isArchivedIn, type Window } from "../common/page.ts";
import { BY_RULES } from "../common/parts-elsewhere.ts";
import { nextRollout } from "../common/rollout.ts";
import { requireEnvironments, requireSwitches } from "../environments/switch-store.ts";
import { type ReleasedWriteOptions, requireNoRelease, withRelease } from "../releases/begin-release-store.ts";
import type { NamedKind } from "../slice.ts";
import { type DynamicConfig, namedByDynamicConfig } from "./dynamic-config.ts";
import { computedConfigChecks, createDynamicConfigCheckStore } from "./dynamic-config-check-store.ts";
import { needsOfDynamicConfig } from "./dynamic-config-needs.ts";

type DynamicConfigFilter = {
  creatorID?: string | null;
  creatorName?: string | null;
  releasePipelineID?: string | null;
  idType?: string[];
  status?: DynamicConfig["status"][];
  tags?: string[];
  targetAppID?: string;
  teamID?: string;
  ownerID?: string;
  includeArchived?: boolean;
  nextRolloutBefore?: number;
};

export const dynamicConfigKind: NamedKind<"dynamic_config", DynamicConfig> = {
  table: "dynamic_config",
  type: "dynamic_config",
  getID: (config) => config.id,
  references: namedByDynamicConfig,
  isArchived: (config) => config.status === "Archived",
  columns: {
    ...BY_OWNER,
    creatorID: (config) => config.creatorID,
    creatorName: (config) => config.creatorName,
    releasePipelineID: (config) => config.releasePipelineID,
    idType: (config) => config.idType,
    tags: (config) => config.tags,
    targetApps: (config) => config.targetApps,
    status: (config) => config.status,
    isArchived: (config) => config.status === "Archived",
    dueTime: (config) => (config.status === "Archived" ? null : nextRollout(config.rules)),
  },
  listing: BY_NAME,
  named: { as: "dynamic_config", check: "exists", isArchived: Prisma.sql`"isArchived"` },
  ruleset: "dynamicConfigs",
  needs: needsOfDynamicConfig,
  reach: BY_RULES,
};

export function createDynamicConfigStore(deps: StoreDeps) {
  const store = entityStore(deps, { ...dynamicConfigKind, computed: computedConfigChecks(deps.by.now) });
  const checks = createDynamicConfigCheckStore(deps);
  const released = (before: DynamicConfig | null, after: DynamicConfig) =>
    withRelease(deps, { type: "dynamic_config", before, after, reasonAgainstMetrics: () => "only alerts can guard dynamic configs." });
  const replace = async (
    before: DynamicConfig,
    after: DynamicConfig,
    { isPlanned = false, ...options }: ReleasedWriteOptions = {},
  ): Promise<DynamicConfig> => {
    await requireSwitches(deps, before, after);
    return store.replace(before, isPlanned ? after : await released(before, after), options);
  };
  return {
    ...store,
    replace,

    /**
     * Stores a switch. @param environment the environment that was switched; undefined if everywhere
     * @throws AppError conflict if `before` is outdated; invalid_request if the project has no such environment
     */
    async turn(before: DynamicConfig, after: DynamicConfig, environment: string | undefined): Promise<DynamicConfig> {
      if (environment !== undefined) await requireEnvironments(deps, [{ name: environment, property: "environment" }]);
      return replace(before, after);
    },

    /** @throws AppError conflict if a dynamic config or an experiment has its id */
    async create(config: DynamicConfig): Promise<DynamicConfig> {
      await requireSwitches(deps, null, config);
      await reserveConfigID(deps, "dynamic_config", config.id);
      return store.create(await released(null, config));
    },

    /** Deletes its checks as well. @throws AppError conflict if `config` is outdated, referenced or in a release */
    async delete(config: DynamicConfig, options?: DeleteOptions): Promise<void> {
      requireNoRelease("dynamic_config", config);
      await store.delete(config, options);
      await checks.delete(config.id);
    },

    /** Newest first. */
    list: (filter: DynamicConfigFilter, window: Window) => store.listWhere(toFilters(deps.projectID, filter), window),
  };
}

function toFilters(projectID: string, filter: DynamicConfigFilter): Prisma.Sql[] {
  const { includeArchived: _, idType, status, tags, targetAppID, nextRolloutBefore, ...columns } = filter;
  return [
    ...filters.equal({ ...columns, isArchived: isArchivedIn(filter) }),
    ...filters.oneOf({ idType, status }),
    ...filters.holding({ tags }),
    ...filters.below({ dueTime: nextRolloutBefore }),
    ...filters.ofTargetApp(projectID, targetAppID),
  ];
}
