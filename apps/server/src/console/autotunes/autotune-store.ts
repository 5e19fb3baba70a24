import type { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { type DeleteOptions, entityStore, type WriteOptions } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { reserveConfigID } from "../common/config-id-store.ts";
import { BY_NAME, BY_OWNER } from "../common/listed.ts";
import { createOverridesStore, ofOwner } from "../common/overrides-store.ts";
import type { Window } from "../common/page.ts";
import { IN_EVERY_ENVIRONMENT, reachOfOverrides } from "../common/parts-elsewhere.ts";
import { createExperimentCheckStore } from "../experiments/experiment-check-store.ts";
import { createExperimentExposureStore } from "../experiments/experiment-exposure-store.ts";
import type { EntityKind, OverridesKind } from "../slice.ts";
import { type Autotune, type AutotuneStatus, isRunning, namedByAutotune, statusOf } from "./autotune.ts";
import { createAutotuneDayStore } from "./autotune-day-store.ts";
import { needsOfAutotune } from "./autotune-needs.ts";
import { withAutotuneCheck } from "./autotune-progress.ts";
import { createAutotuneProgressStore } from "./autotune-progress-store.ts";
import { type AutotuneWeights, NO_WEIGHTS } from "./autotune-shares.ts";

type AutotuneFilter = {
  creatorID?: string | null;
  creatorName?: string | null;
  tags?: string[];
  teamID?: string;
  ownerID?: string;
  targetAppID?: string;
  status?: AutotuneStatus[];
};

export const autotuneKind: EntityKind<"autotune", Autotune> = {
  table: "autotune",
  type: "autotune",
  getID: (autotune) => autotune.id,
  references: namedByAutotune,
  columns: {
    ...BY_OWNER,
    creatorID: (autotune) => autotune.creatorID,
    creatorName: (autotune) => autotune.creatorName,
    idType: { unlisted: (autotune) => autotune.idType },
    isRunning: { unlisted: isRunning },
    status: statusOf,
    tags: (autotune) => autotune.tags,
    targetApps: (autotune) => autotune.targetApps,
  },
  listing: BY_NAME,
  named: null,
  ruleset: "autotunes",
  needs: needsOfAutotune,
  reach: IN_EVERY_ENVIRONMENT,
};

/** Weights are a row of their own beside the autotune, written by the server alone. */
export const autotuneWeightsKind: OverridesKind<AutotuneWeights, "autotune_weights"> = {
  ...ofOwner("autotune"),
  type: "autotune_weights",
  references: null,
  ruleset: "autotuneWeights",
  needs: null,
  reach: reachOfOverrides<AutotuneWeights>((weights) => weights ?? null),
};

export function createAutotuneStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const store = entityStore(deps, autotuneKind);
  const progress = createAutotuneProgressStore(deps);
  const days = createAutotuneDayStore(deps);
  const exposures = createExperimentExposureStore(deps);
  const openWeights = (autotuneID: string) => createOverridesStore(deps, autotuneWeightsKind, autotuneID, NO_WEIGHTS);
  return {
    ...store,

    /** @throws AppError conflict if an autotune, a dynamic config or an experiment has its id */
    async create(autotune: Autotune): Promise<Autotune> {
      await reserveConfigID(deps, "autotune", autotune.id);
      return store.create(autotune);
    },

    /** A start and a reset delete the data of other runs, including late reports of applications. */
    async replace(before: Autotune, after: Autotune, options?: WriteOptions): Promise<Autotune> {
      const data = await store.replace(before, after, options);
      if (before.isStarted !== after.isStarted) await forget(after.id);
      return data;
    },

    /** Deletes its weights, exposures and findings as well. @throws AppError conflict if `autotune` is outdated */
    async delete(autotune: Autotune, options?: DeleteOptions): Promise<void> {
      await store.delete(autotune, options);
      await forget(autotune.id);
      await createExperimentCheckStore(deps).delete(autotune.id);
    },

    progress,
    days,
    weights: openWeights,

    /** The autotune with its findings. For answers only: versions do not contain them. */
    withProgress: async (autotune: Autotune): Promise<Autotune> => (await withProgress([autotune]))[0] as Autotune,

    /** For answers: with findings, newest first. */
    async list(filter: AutotuneFilter, window: Window) {
      const { data, total } = await store.listWhere(toFilters(projectID, filter), window);
      return { data: await withProgress(data), total };
    },
  };

  async function forget(id: string): Promise<void> {
    await openWeights(id).delete();
    await progress.delete(id);
    await days.delete(id);
    await exposures.delete(id);
  }

  async function withProgress(autotunes: Autotune[]): Promise<Autotune[]> {
    if (!autotunes.some(({ isStarted }) => isStarted)) return autotunes;
    const checks = await progress.find(autotunes);
    const rows = await db.$queryRaw<{ ownerID: string; entity: string }[]>`
      select "ownerID", entity from overrides
      where "projectID" = ${projectID} and "ownerType" = 'autotune' and "ownerID" = any(${autotunes.map(({ id }) => id)}::text[])`;
    const weights = new Map(rows.map(({ ownerID, entity }) => [ownerID, fromText<AutotuneWeights>(entity)]));
    return autotunes.map((autotune) => withAutotuneCheck(autotune, checks.get(autotune.id), weights.get(autotune.id)));
  }
}

function toFilters(projectID: string, { targetAppID, tags, status, ...columns }: AutotuneFilter): Prisma.Sql[] {
  return [
    ...filters.equal(columns),
    ...filters.oneOf({ status }),
    ...filters.holding({ tags }),
    ...filters.ofTargetApp(projectID, targetAppID),
  ];
}
