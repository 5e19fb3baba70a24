import { invalid } from "../../errors.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { entityStore, type Kind, type WriteOptions } from "../../store/entity-store.ts";
import { fromText } from "../../store/entity-text.ts";
import { filters } from "../../store/filters.ts";
import { createReferences } from "../../store/references.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { holdConfigID } from "../common/config-id-store.ts";
import { createOverridesStore } from "../common/overrides-store.ts";
import type { Window } from "../common/page.ts";
import { createLayerStore } from "../layers/layer-store.ts";
import type { Holding } from "./allocation.ts";
import { type Experiment, namedByExperiment } from "./experiment.ts";
import { completed } from "./experiment-copy.ts";
import { createExperimentExposureStore } from "./experiment-exposure-store.ts";
import type { SharedLayer } from "./experiment-layer.ts";
import { NO_OVERRIDES, namedByExperimentOverrides } from "./experiment-overrides.ts";
import { withoutStaleness } from "./experiment-staleness.ts";

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
};

const DAY = 24 * 60 * 60 * 1000;

const isArchived = ({ status }: Experiment) => status === "archived";

const kind: Kind<Experiment> = {
  table: "experiment",
  type: "experiment",
  idOf: ({ id }) => id,
  references: namedByExperiment,
  isArchived,
  columns: (experiment) => ({
    creatorID: experiment.creatorID,
    creatorName: experiment.creatorName,
    status: experiment.status,
    experimentType: experiment.experimentType,
    isStale: experiment.isStale,
    layerID: experiment.layerID,
    idType: experiment.idType,
    teamID: experiment.teamID,
    tags: experiment.tags,
    targetApps: experiment.targetApps,
  }),
  unlistedColumns: (experiment) => ({ dueTime: experiment.scheduledStartTime }),
};

export function createExperimentStore(context: StoreContext) {
  const { db, projectID } = context;
  const store = entityStore(context, kind);
  const references = createReferences(context);
  const exposures = createExperimentExposureStore(context);
  const overridesOf = (experimentID: string) =>
    createOverridesStore(context, "experiment", experimentID, NO_OVERRIDES, namedByExperimentOverrides);
  return {
    ...store,

    /** @throws AppError conflict if an experiment or a dynamic config has its id */
    async create(experiment: Experiment): Promise<Experiment> {
      await holdConfigID(context, "experiment", experiment.id);
      return store.create(experiment);
    },

    /** What the overrides of an archived experiment name counts as little as what it names itself. */
    async replace(before: Experiment, after: Experiment, options?: WriteOptions): Promise<Experiment> {
      const data = await store.replace(before, withoutStaleness(before, after), options);
      // With another salt, units come into other groups: who saw what of the former run tells nothing of this one.
      if (before.salt !== after.salt) await exposures.delete(after.id);
      if (isArchived(before) !== isArchived(after)) {
        const overrides = await overridesOf(after.id).get();
        const named = namedByExperimentOverrides(overrides);
        const source = { type: "experiment_overrides", id: after.id, entity: overrides };
        const statements = await references.check(source, isArchived(before) ? [] : named, isArchived(after) ? [] : named);
        for (const statement of statements) await db.$executeRaw(statement);
      }
      return data;
    },

    async delete(experiment: Experiment, options?: Pick<WriteOptions, "force">): Promise<void> {
      await store.delete(experiment, options);
      await exposures.delete(experiment.id);
    },

    exposures,

    async listVersions(id: string, window: Window) {
      const { data, total } = await store.listVersions(id, window);
      return { data: data.map(completed), total };
    },

    /** Newest first. */
    list: (filter: ExperimentFilter, window: Window) => store.listWhere(toFilters(projectID, filter), window),

    overrides: overridesOf,

    /**
     * The layer of an experiment and what the layer's others hold, with the layer locked until the transaction ends: nobody else allocates in
     * it meanwhile. Undefined if it has none or the layer does not exist.
     */
    async lockLayer({ id, layerID }: { id?: string; layerID: string | null }): Promise<SharedLayer | undefined> {
      if (layerID === null) return undefined;
      const layer = await createLayerStore(context).find(layerID, { lock: true });
      return layer && { layer, others: (await listHoldings(layerID)).filter((holding) => holding.id !== id) };
    },
  };

  async function listHoldings(layerID: string): Promise<Holding[]> {
    const rows = await db.$queryRaw<{ entity: string }[]>`
      select entity from experiment
      where "projectID" = ${projectID} and "layerID" = ${layerID} and status in ('active', 'assignment_stopped') order by id`;
    return rows.map(({ entity }) => fromText<Experiment>(entity)).map(({ id, userBuckets }) => ({ id, buckets: userBuckets }));
  }
}

function toFilters(projectID: string, filter: ExperimentFilter): Prisma.Sql[] {
  const { status, tags, targetAppID, stale, createdStartDate, createdEndDate, ...columns } = filter;
  return [
    ...filters.equal({ ...columns, isStale: stale }),
    ...filters.oneOf({ status }),
    ...filters.holding({ tags }),
    ...filters.ofTargetApp(projectID, targetAppID),
    ...createdBetween({ createdStartDate, createdEndDate }),
  ];
}

/** @throws AppError invalid_request naming each date that the calendar does not have */
function createdBetween(dates: { createdStartDate: string | undefined; createdEndDate: string | undefined }): Prisma.Sql[] {
  const violations = Object.entries(dates)
    .filter(([, date]) => date !== undefined && !isDay(date))
    .map(([property, date]) => ({ property, errorMessage: `must be a day such as 2025-11-30, which ${date} is not` }));
  if (violations.length > 0) throw invalid(violations);
  const { createdStartDate: first, createdEndDate: last } = dates;
  return [
    ...(first === undefined ? [] : [Prisma.sql`"createdTime" >= ${Date.parse(first)}`]),
    ...(last === undefined ? [] : [Prisma.sql`"createdTime" < ${Date.parse(last) + DAY}`]),
  ];
}

function isDay(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}
