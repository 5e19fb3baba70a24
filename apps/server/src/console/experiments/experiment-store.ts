import { Prisma } from "../../generated/prisma/client.ts";
import { worstStatus } from "../../results/health/health.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { type DeleteOptions, entityStore, type WriteOptions } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { Computed } from "../../store/entities/kind.ts";
import { createReferences } from "../../store/entities/references.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { reserveConfigID } from "../common/config-id-store.ts";
import { BY_NAME, BY_OWNER } from "../common/listed.ts";
import { createOverridesStore, ofOwner } from "../common/overrides-store.ts";
import type { Window } from "../common/page.ts";
import { createLayerStore } from "../layers/layer-store.ts";
import { createGuardrailStore } from "../results/guardrail-store.ts";
import { createHealthStore } from "../results/health-store.ts";
import { createResultStore } from "../results/result-store.ts";
import { activeReviewOf, withActiveReview } from "../reviews/active-review-store.ts";
import type { NamedKind, OverridesKind } from "../slice.ts";
import type { BucketHolder } from "./allocation.ts";
import { type Experiment, namedByExperiment } from "./experiment.ts";
import { createExperimentCheckStore } from "./experiment-check-store.ts";
import { createExperimentExposureStore } from "./experiment-exposure-store.ts";
import type { ExperimentGuardrailCheck } from "./experiment-guardrails.ts";
import type { SharedLayer } from "./experiment-layer.ts";
import { needsOfExperiment } from "./experiment-needs.ts";
import { type ExperimentOverrides, NO_OVERRIDES, namedByExperimentOverrides } from "./experiment-overrides.ts";
import { reachOfExperiment, reachOfExperimentOverrides } from "./experiment-reach.ts";
import { ENDED_STATUSES, STALE_AFTER_MS, withoutStaleness } from "./experiment-staleness.ts";

type ExperimentFilter = {
  createdStartDate?: string;
  createdEndDate?: string;
  creatorID?: string | null;
  creatorName?: string | null;
  experimentType?: string;
  idType?: string;
  layerID?: string;
  stale?: true;
  status?: Experiment["status"][];
  tags?: string[];
  targetAppID?: string;
  teamID?: string;
  ownerID?: string;
};

/** The maximum number of experiments that ran at the same time as another. */
const MAX_OVERLAPPING = 100;

const isArchived = ({ status }: Experiment) => status === "archived";

export const experimentKind: NamedKind<"experiment", Experiment> = {
  table: "experiment",
  type: "experiment",
  getID: (experiment) => experiment.id,
  references: namedByExperiment,
  isArchived,
  columns: {
    ...BY_OWNER,
    creatorID: (experiment) => experiment.creatorID,
    creatorName: (experiment) => experiment.creatorName,
    status: (experiment) => experiment.status,
    experimentType: (experiment) => experiment.experimentType,
    layerID: (experiment) => experiment.layerID,
    idType: (experiment) => experiment.idType,
    tags: (experiment) => experiment.tags,
    targetApps: (experiment) => experiment.targetApps,
    dueTime: { unlisted: (experiment) => experiment.scheduledStartTime },
  },
  listing: BY_NAME,
  named: { as: "experiment", check: "exists", isArchived: Prisma.sql`status = 'archived'` },
  ruleset: "experiments",
  needs: needsOfExperiment,
  reach: reachOfExperiment,
};

export const experimentOverridesKind: OverridesKind<ExperimentOverrides, "experiment_overrides"> = {
  ...ofOwner("experiment"),
  references: namedByExperimentOverrides,
  ruleset: "experimentOverrides",
  needs: null,
  reach: reachOfExperimentOverrides,
};

export function createExperimentStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const store = entityStore(deps, { ...experimentKind, computed: laidOverExperiment(deps.by.now) });
  const references = createReferences(deps);
  const exposures = createExperimentExposureStore(deps);
  const health = createHealthStore(deps);
  const guardrails = createGuardrailStore<ExperimentGuardrailCheck>(deps, { type: "experiment", getPartID: ({ groupID }) => groupID });
  const openOverrides = (experimentID: string) => createOverridesStore(deps, experimentOverridesKind, experimentID, NO_OVERRIDES);
  return {
    ...store,

    /** @throws AppError conflict if an experiment or a dynamic config has its id */
    async create(experiment: Experiment): Promise<Experiment> {
      await reserveConfigID(deps, "experiment", experiment.id);
      return store.create(experiment);
    },

    /** References of an archived experiment do not count, and neither do those of its overrides. */
    async replace(before: Experiment, after: Experiment, options?: WriteOptions): Promise<Experiment> {
      const written = await store.replace(toStored(before), toStored(after), options);
      const data = withActiveReview(written, before.activeReview ?? null);
      // A new salt assigns units again, so the exposures of the previous run no longer apply.
      if (before.salt !== after.salt) {
        await exposures.delete(after.id);
        await health.delete(after.id);
        await guardrails.delete(after.id);
      }
      if (isArchived(before) !== isArchived(after)) {
        const overrides = await openOverrides(after.id).get();
        const named = namedByExperimentOverrides(overrides);
        const source = { type: "experiment_overrides", id: after.id, entity: overrides };
        const statements = await references.check(source, isArchived(before) ? [] : named, isArchived(after) ? [] : named);
        for (const statement of statements) await db.$executeRaw(statement);
      }
      return data;
    },

    /** Deletes its overrides, exposures, results and alerts as well. @throws AppError conflict if `experiment` is outdated or referenced */
    async delete(experiment: Experiment, options?: DeleteOptions): Promise<void> {
      await store.delete(experiment, options);
      await openOverrides(experiment.id).delete();
      await exposures.delete(experiment.id);
      await createExperimentCheckStore(deps).delete(experiment.id);
      await createResultStore(deps).delete("experiment", experiment.id);
      await health.delete(experiment.id);
      await guardrails.delete(experiment.id);
    },

    exposures,
    guardrails,

    /** The experiment with the health checks' findings. For answers only: versions do not contain them. */
    withHealth: async (experiment: Experiment): Promise<Experiment> => (await withHealth([experiment]))[0] as Experiment,

    /** For answers: with health, newest first. */
    async list(filter: ExperimentFilter, window: Window) {
      const { data, total } = await store.listWhere(toFilters(projectID, filter, deps.by.now), window, { areLogged: areLogged(filter) });
      return { data: await withHealth(data), total };
    },

    /** For answers: with health, newest first. */
    async listReferring(to: Parameters<typeof store.listReferring>[0], window: Window, filter: ExperimentFilter = {}) {
      const { data, total } = await store.listReferring(to, window, toFilters(projectID, filter, deps.by.now), {
        areLogged: areLogged(filter),
      });
      return { data: await withHealth(data), total };
    },

    /** The other experiments that ran during a time on units of the same type, the last started first: one at most if it is named. */
    async listOverlapping(
      { id, idType }: Pick<Experiment, "id" | "idType">,
      { startTime, endTime }: { startTime: number; endTime: number },
      otherID?: string,
    ): Promise<Experiment[]> {
      const rows = await db.$queryRaw<{ entity: string }[]>`
        select entity from (select entity, entity::json as given from experiment
          where "projectID" = ${projectID} and id <> ${id} and lower("idType") = lower(${idType})
            and (${otherID ?? null}::text is null or id = ${otherID ?? null}::text)) as other
        where (given ->> 'startTime')::bigint < ${endTime} and coalesce((given ->> 'endTime')::bigint > ${startTime}, true)
        order by (given ->> 'startTime')::bigint desc limit ${MAX_OVERLAPPING}`;
      return rows.map(({ entity }) => fromText<Experiment>(entity));
    },

    /** For answers: those of the ids that exist, with health. */
    async findAll(ids: readonly string[]): Promise<Experiment[]> {
      const rows = await db.$queryRaw<{ entity: string }[]>`
        select entity from experiment where "projectID" = ${projectID} and id = any(${[...ids]}::text[]) order by id`;
      return withHealth(rows.map(({ entity }) => fromText<Experiment>(entity)));
    },

    /** The experiments that were decided or abandoned, the last decided first, and how many there are. */
    async listDecided(teamID: string | undefined, most: number): Promise<{ data: Experiment[]; total: number }> {
      const rows = await db.$queryRaw<{ entity: string; total: number }[]>`
        select entity, count(*) over ()::int as total from (select entity, id, entity::json as given from experiment
          where "projectID" = ${projectID} and (${teamID ?? null}::text is null or "teamID" = ${teamID ?? null}::text)) as known
        where given ->> 'decisionTime' is not null or given ->> 'status' = 'abandoned'
        order by coalesce(given ->> 'decisionTime', given ->> 'endTime', given ->> 'lastModifiedTime')::bigint desc, id limit ${most}`;
      return { data: rows.map(({ entity }) => fromText<Experiment>(entity)), total: rows[0]?.total ?? 0 };
    },

    overrides: openOverrides,

    /**
     * Locks the layer of an experiment until the transaction ends, so that other requests cannot allocate in it, and returns it with its
     * other experiments. Undefined if the experiment has no layer or the layer does not exist.
     */
    async lockLayer({ id, layerID }: { id?: string; layerID: string | null }): Promise<SharedLayer | undefined> {
      if (layerID === null) return undefined;
      const layer = await createLayerStore(deps).find(layerID, { lock: true });
      return layer && { layer, others: (await listBucketHolders(layerID)).filter((holding) => holding.id !== id) };
    },
  };

  async function withHealth(experiments: Experiment[]): Promise<Experiment[]> {
    const found = await health.find(experiments);
    return experiments.map((experiment) => {
      const healthChecks = found.get(experiment.id);
      if (!healthChecks) return experiment;
      return { ...experiment, healthChecks, healthCheckStatus: worstStatus(healthChecks.map(({ status }) => status)) };
    });
  }

  async function listBucketHolders(layerID: string): Promise<BucketHolder[]> {
    const rows = await db.$queryRaw<{ entity: string }[]>`
      select entity from experiment
      where "projectID" = ${projectID} and "layerID" = ${layerID} and status in ('active', 'assignment_stopped') order by id`;
    return rows.map(({ entity }) => fromText<Experiment>(entity)).map(({ id, userBuckets }) => ({ id, buckets: userBuckets }));
  }
}

/** Adds staleness to an experiment when it is read. @param now ms since the epoch */
function laidOverExperiment(now: number): Computed<Experiment> {
  return {
    column: (table) => Prisma.sql`jsonb_build_array(${isStaleAt(table, now)}, ${activeReviewOf("experiment", table)})`,
    put(experiment, laid) {
      const [isStale, review] = laid as [boolean, Experiment["activeReview"] | null];
      const reviewed = withActiveReview(experiment, review ?? null);
      return isStale ? { ...reviewed, isStale: true } : reviewed;
    },
  };
}

/** The experiment without what reads add. */
function toStored(experiment: Experiment): Experiment {
  return withActiveReview(withoutStaleness(experiment), null);
}

/** Whether an experiment is stale, as the contract defines `isStale`. */
function isStaleAt(table: Prisma.Sql, now: number): Prisma.Sql {
  return Prisma.sql`(${table}."status" = any(${[...ENDED_STATUSES]}::text[]) and ${table}."lastModifiedTime" <= ${now - STALE_AFTER_MS}::bigint)`;
}

/** Whether the change log has every change of the filtered data. Staleness changes with time. */
const areLogged = ({ stale }: ExperimentFilter): boolean => stale === undefined;

function toFilters(projectID: string, filter: ExperimentFilter, now: number): Prisma.Sql[] {
  const { status, tags, targetAppID, stale, createdStartDate, createdEndDate, ...columns } = filter;
  return [
    ...filters.equal(columns),
    ...(stale ? [isStaleAt(Prisma.sql`experiment`, now)] : []),
    ...filters.oneOf({ status }),
    ...filters.holding({ tags }),
    ...filters.ofTargetApp(projectID, targetAppID),
    ...filters.createdBetween(createdStartDate, createdEndDate),
  ];
}
