import { notFound } from "../../errors.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { startOfDay } from "../../results/day.ts";
import type { Found, StoredMoments } from "../../results/stored-moments.ts";
import type { DailySums } from "../../results/sums.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import { noteEvent } from "../../store/trail.ts";
import type { Window } from "../common/page.ts";
import type { Experiment } from "../experiments/experiment.ts";
import { createMetricStore } from "../metrics/metric-store.ts";
import { metricsNamedBy } from "./experiment-metrics.ts";
import { type FinishedState, type PulseLoad, type ReloadType, settled } from "./pulse-load.ts";

export type LoadRow = {
  id: string;
  experimentID: string;
  createdTime: bigint;
  creatorName: string | null;
  reloadType: string;
  turboMode: boolean;
  startTime: bigint;
  endTime: bigint;
  metrics: string;
  jobs: string;
  finishedTime: bigint | null;
  finishedState: string | null;
};

export const LOAD_COLUMNS = Prisma.sql`id, "experimentID", "createdTime", "creatorName", "reloadType", "turboMode", "startTime", "endTime", metrics, jobs,
  "finishedTime", "finishedState"`;

/** Loads of results and what they found out. They are data: the trail has who asked for them, and the change log no more. */
export function createResultStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const metrics = createMetricStore(deps);
  /** Somebody did something about a load. */
  const note = (load: PulseLoad, details: Record<string, unknown>) =>
    noteEvent(db, { ...deps.by, entityType: "pulse_load", entityID: load.id, details: { experimentID: load.experimentID, ...details } });
  const loads = (where: Prisma.Sql, rest: Prisma.Sql) =>
    db.$queryRaw<LoadRow[]>`select ${LOAD_COLUMNS} from pulse_load where "projectID" = ${projectID} and ${where} ${rest}`;
  return {
    async addLoad(load: PulseLoad): Promise<void> {
      await db.$executeRaw`
        insert into pulse_load ("projectID", ${LOAD_COLUMNS}, "leasedUntil") values (
          ${projectID}, ${load.id}, ${load.experimentID}, ${load.createdTime}, ${load.creatorName}, ${load.reloadType}, ${load.turboMode},
          ${load.startTime}, ${load.endTime}, ${JSON.stringify(load.metrics)}, ${JSON.stringify(load.jobs)}, ${load.finishedTime},
          ${load.finishedState}, 0
        )`;
      // Nobody asked for a load that was due.
      if (load.creatorName !== null) await note(load, { reloadType: load.reloadType, metrics: load.metrics.length });
    },

    /** @throws AppError not_found if the experiment has no such load */
    async getLoad(experimentID: string, id: string, { lock = false } = {}): Promise<PulseLoad> {
      const [row] = await loads(Prisma.sql`"experimentID" = ${experimentID} and id = ${id}`, lock ? Prisma.sql`for update` : Prisma.empty);
      if (!row) throw notFound("Pulse load", id);
      return loadOf(row);
    },

    /** Newest first. */
    async listLoads(experimentID: string, { skip, take }: Window): Promise<{ data: PulseLoad[]; total: number }> {
      const [rows, [counted]] = await Promise.all([
        loads(Prisma.sql`"experimentID" = ${experimentID}`, Prisma.sql`order by "createdTime" desc, id limit ${take} offset ${skip}`),
        db.$queryRaw<{ total: number }[]>`
          select count(*)::int as total from pulse_load where "projectID" = ${projectID} and "experimentID" = ${experimentID}`,
      ]);
      return { data: rows.map(loadOf), total: counted?.total ?? 0 };
    },

    async cancelLoad(load: PulseLoad, now: number): Promise<void> {
      await db.$executeRaw`
        update pulse_load set "finishedTime" = ${now}, "finishedState" = 'cancelled', metrics = ${JSON.stringify(settled(load.metrics, "cancelled"))}
        where "projectID" = ${projectID} and id = ${load.id}`;
      await note(load, { finishedState: "cancelled" });
    },

    rolesOf,
    listMoments,

    /** The metrics that an experiment names, and those of them that were computed today by their present definition. */
    async loadable(experiment: Experiment, now: number): Promise<{ named: string[]; fresh: Set<string> }> {
      const named = [...(await rolesOf(experiment)).keys()];
      const [moments, known] = await Promise.all([listMoments(experiment), metrics.findAll(named)]);
      const versions = new Map(known.map(({ id, version }) => [id, version]));
      const today = startOfDay(now);
      const fresh = moments.filter(({ metricID, loadedTime, version }) => loadedTime >= today && versions.get(metricID) === version);
      return { named, fresh: new Set(fresh.map(({ metricID }) => metricID)) };
    },

    /** Called with the deletion of the experiment. */
    async delete(experimentID: string): Promise<void> {
      await db.$executeRaw`delete from pulse_load where "projectID" = ${projectID} and "experimentID" = ${experimentID}`;
      await db.$executeRaw`delete from pulse_moments where "projectID" = ${projectID} and "experimentID" = ${experimentID}`;
    },
  };

  /** The metrics that an experiment names, by their own names and by their tags. */
  async function rolesOf(experiment: Experiment) {
    const [primary, secondary] = await Promise.all([
      metrics.idsTagged(experiment.primaryMetricTags),
      metrics.idsTagged(experiment.secondaryMetricTags),
    ]);
    return metricsNamedBy(experiment, { primary, secondary });
  }

  /** What the loads of the experiment's present run found out, without the days unless they are asked for. */
  async function listMoments({ id, startTime }: Experiment, { withDays = false } = {}): Promise<StoredMoments[]> {
    if (startTime === null) return [];
    const rows = await db.$queryRaw<MomentsRow[]>`
      select "metricID", "startTime", "endTime", "loadedTime", version, latest, ${withDays ? Prisma.sql`daily` : Prisma.sql`null as daily`}
      from pulse_moments where "projectID" = ${projectID} and "experimentID" = ${id} and "startTime" = ${startTime}
      order by "metricID"`;
    return rows.map(momentsOf);
  }
}

type MomentsRow = {
  metricID: string;
  startTime: bigint;
  endTime: bigint;
  loadedTime: bigint;
  version: number | null;
  latest: string;
  daily: string | null;
};

function momentsOf({ metricID, startTime, endTime, loadedTime, version, latest, daily }: MomentsRow): StoredMoments {
  return {
    metricID,
    ...{ startTime: Number(startTime), endTime: Number(endTime), loadedTime: Number(loadedTime), version },
    latest: JSON.parse(latest) as Found,
    daily: daily === null ? null : (JSON.parse(daily) as DailySums[]),
  };
}

export function loadOf({
  createdTime,
  startTime,
  endTime,
  metrics,
  jobs,
  finishedTime,
  reloadType,
  finishedState,
  ...row
}: LoadRow): PulseLoad {
  return {
    ...row,
    reloadType: reloadType as ReloadType,
    finishedState: finishedState as FinishedState | null,
    ...{ createdTime: Number(createdTime), startTime: Number(startTime), endTime: Number(endTime) },
    finishedTime: finishedTime === null ? null : Number(finishedTime),
    metrics: JSON.parse(metrics),
    jobs: JSON.parse(jobs),
  };
}
