import { notFound } from "../../common/errors.ts";
import { startOfDay } from "../../common/local-day.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Found, StoredMoments } from "../../results/pulse/stored-moments.ts";
import type { Subject } from "../../results/pulse/subject.ts";
import type { DailySums } from "../../results/pulse/sums.ts";
import type { UnitCounts } from "../../results/sql/unit-counts.ts";
import { recordAuditEvent } from "../../store/change-log/audit-event.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { eachVersion } from "../../store/entities/versions.ts";
import type { Window } from "../common/page.ts";
import type { Experiment } from "../experiments/experiment.ts";
import type { Gate } from "../gates/gate.ts";
import type { Holdout } from "../holdouts/holdout.ts";
import { createMetricStore } from "../metrics/metric-store.ts";
import { deleteStates } from "./load-state-store.ts";
import { metricsNamedBy } from "./loaded-metrics.ts";
import { createMetricUseStore } from "./metric-use-store.ts";
import { createOpenGuardrailAlertStore } from "./open-guardrail-alert-store.ts";
import { chanceIn } from "./phase.ts";
import { type FinishedState, type PulseLoad, type ReloadType, type Run, settled } from "./pulse-load.ts";

export type LoadRow = {
  id: string;
  subjectType: string;
  subjectID: string;
  ruleID: string;
  createdTime: bigint;
  creatorName: string | null;
  reloadType: string;
  turboMode: boolean;
  startTime: bigint;
  endTime: bigint;
  timeZone: string;
  metrics: string;
  jobs: string;
  units: string | null;
  finishedTime: bigint | null;
  finishedState: string | null;
};

export const LOAD_COLUMNS = Prisma.sql`id, "subjectType", "subjectID", "ruleID", "createdTime", "creatorName", "reloadType", "turboMode", "startTime",
  "endTime", "timeZone", metrics, jobs, units, "finishedTime", "finishedState"`;

/** The columns of a subject. A missing rule is an empty text. */
const matchesSubject = ({ type, id, ruleID }: Subject) =>
  Prisma.sql`"subjectType" = ${type} and "subjectID" = ${id} and "ruleID" = ${ruleID ?? ""}`;

/** Loads of results and their findings. They are data: only the audit log records their requests. */
export function createResultStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const metrics = createMetricStore(deps);
  /** A person or key has acted on a load. */
  const note = ({ id, subject }: PulseLoad, details: Record<string, unknown>) => {
    const of = { [`${subject.type}ID`]: subject.id, ...(subject.ruleID !== null && { ruleID: subject.ruleID }) };
    return recordAuditEvent(db, { ...deps.by, entityType: "pulse_load", entityID: id, details: { ...of, ...details } });
  };
  const loads = (where: Prisma.Sql, rest: Prisma.Sql) =>
    db.$queryRaw<LoadRow[]>`select ${LOAD_COLUMNS} from pulse_load where "projectID" = ${projectID} and ${where} ${rest}`;
  return {
    async addLoad(load: PulseLoad): Promise<void> {
      await db.$executeRaw`
        insert into pulse_load ("projectID", ${LOAD_COLUMNS}, "leasedUntil") values (
          ${projectID}, ${load.id}, ${load.subject.type}, ${load.subject.id}, ${load.subject.ruleID ?? ""}, ${load.createdTime},
          ${load.creatorName}, ${load.reloadType}, ${load.turboMode}, ${load.startTime}, ${load.endTime}, ${load.timeZone}, ${JSON.stringify(load.metrics)},
          ${JSON.stringify(load.jobs)}, ${load.units && JSON.stringify(load.units)}, ${load.finishedTime}, ${load.finishedState}, 0
        )`;
      // A load that was due has no requester to note.
      if (load.creatorName !== null) await note(load, { reloadType: load.reloadType, metrics: load.metrics.length });
    },

    /** @throws AppError not_found if the subject has no such load */
    async getLoad(subject: Subject, id: string, { lock = false } = {}): Promise<PulseLoad> {
      const [row] = await loads(Prisma.sql`${matchesSubject(subject)} and id = ${id}`, lock ? Prisma.sql`for update` : Prisma.empty);
      if (!row) throw notFound("Pulse load", id);
      return toLoad(row);
    },

    /** Newest first. */
    async listLoads(subject: Subject, { skip, take }: Window): Promise<{ data: PulseLoad[]; total: number }> {
      const [rows, [counted]] = await Promise.all([
        loads(matchesSubject(subject), Prisma.sql`order by "createdTime" desc, id limit ${take} offset ${skip}`),
        db.$queryRaw<
          { total: number }[]
        >`select count(*)::int as total from pulse_load where "projectID" = ${projectID} and ${matchesSubject(subject)}`,
      ]);
      return { data: rows.map(toLoad), total: counted?.total ?? 0 };
    },

    async cancelLoad(load: PulseLoad, now: number): Promise<void> {
      await db.$executeRaw`
        update pulse_load set "finishedTime" = ${now}, "finishedState" = 'cancelled', metrics = ${JSON.stringify(settled(load.metrics, "cancelled"))}
        where "projectID" = ${projectID} and id = ${load.id}`;
      await note(load, { finishedState: "cancelled" });
    },

    readRoles,
    listMoments,

    /** The findings of several experiments, each of its present run, by experiment. Days are read only where `withDays` is true. */
    async listMomentsOf(runs: readonly { id: string; startTime: number; withDays: boolean }[]): Promise<Map<string, StoredMoments[]>> {
      const [ids, starts, days] = [runs.map(({ id }) => id), runs.map(({ startTime }) => startTime), runs.map(({ withDays }) => withDays)];
      const rows = await db.$queryRaw<(MomentsRow & { subjectID: string })[]>`
        select "subjectID", "metricID", "startTime", "endTime", "timeZone", "loadedTime", version, latest,
          case when run."withDays" then daily end as daily
        from unnest(${ids}::text[], ${starts}::bigint[], ${days}::boolean[]) as run (id, start, "withDays")
        join pulse_moments on "projectID" = ${projectID} and "subjectType" = 'experiment' and "subjectID" = run.id and "ruleID" = ''
          and "startTime" = run.start
        order by "metricID"`;
      const found = new Map<string, StoredMoments[]>();
      for (const { subjectID, ...row } of rows) found.set(subjectID, [...(found.get(subjectID) ?? []), toMoments(row)]);
      return found;
    },
    uses: createMetricUseStore(deps),
    guardrailAlerts: createOpenGuardrailAlertStore(deps),

    /** Metrics, and those of them that were computed today by their present definition for the same run, with the same days. */
    async loadable({ subject, startTime, timeZone }: Run, named: string[], now: number): Promise<{ named: string[]; fresh: Set<string> }> {
      const [moments, known] = await Promise.all([listMoments(subject, startTime), metrics.findAll(named)]);
      const versions = new Map(known.map(({ id, version }) => [id, version]));
      const today = startOfDay(now, timeZone);
      const fresh = moments.filter(
        (one) => one.loadedTime >= today && versions.get(one.metricID) === one.version && one.timeZone === timeZone,
      );
      return { named, fresh: new Set(fresh.map(({ metricID }) => metricID)) };
    },

    /** How many units the newest load compared that has counted them: one of the run that started at a time, ms. */
    async countUnits(subject: Subject, startTime: number): Promise<UnitCounts | undefined> {
      const [row] = await loads(
        Prisma.sql`${matchesSubject(subject)} and "startTime" = ${startTime} and units is not null`,
        Prisma.sql`order by "createdTime" desc, id limit 1`,
      );
      return row && (toLoad(row).units ?? undefined);
    },

    /** How many loads of the run that started at a time, ms, have computed a metric. */
    async countUpdates(subject: Subject, startTime: number): Promise<number> {
      const [counted] = await db.$queryRaw<{ total: number }[]>`
        select count(*)::int as total from pulse_load where "projectID" = ${projectID} and ${matchesSubject(subject)}
          and "startTime" = ${startTime} and "finishedState" in ('success', 'partial_failure')`;
      return counted?.total ?? 0;
    },

    /**
     * The start of the present phase of a gate's rule or a holdout, ms: when its units got their present chance to pass.
     * @throws AppError not_found without a phase
     */
    async startOfPhase(subject: Subject): Promise<number> {
      let start: number | undefined;
      let present: string | undefined;
      for await (const { text, time } of eachVersion(db, projectID, subject.type, subject.id)) {
        const chance = chanceIn(fromText<Gate | Holdout>(text), subject);
        present ??= chance;
        if (chance === undefined || chance !== present) break;
        start = time;
      }
      if (start === undefined) throw notFound("Phase", subject.ruleID ?? subject.id);
      return start;
    },

    /** Called with the deletion of the experiment, gate or holdout. */
    async delete(type: Subject["type"], id: string): Promise<void> {
      const where = Prisma.sql`"projectID" = ${projectID} and "subjectType" = ${type} and "subjectID" = ${id}`;
      await db.$executeRaw`delete from pulse_load where ${where}`;
      await db.$executeRaw`delete from pulse_moments where ${where}`;
      await deleteStates(db, where);
    },
  };

  /** The metrics that an experiment names, by their own names and by their tags. */
  async function readRoles(experiment: Experiment) {
    const [primary, secondary] = await Promise.all([
      metrics.idsTagged(experiment.primaryMetricTags),
      metrics.idsTagged(experiment.secondaryMetricTags),
    ]);
    return metricsNamedBy(experiment, { primary, secondary });
  }

  /**
   * The findings of a run's loads, with the days only on request.
   * @param startTime when the run started, ms; or the last one that was loaded
   */
  async function listMoments(subject: Subject, startTime: number | "last", { withDays = false } = {}): Promise<StoredMoments[]> {
    const where = Prisma.sql`"projectID" = ${projectID} and ${matchesSubject(subject)}`;
    const start = startTime === "last" ? Prisma.sql`(select max("startTime") from pulse_moments where ${where})` : Prisma.sql`${startTime}`;
    const rows = await db.$queryRaw<MomentsRow[]>`
      select "metricID", "startTime", "endTime", "timeZone", "loadedTime", version, latest, ${withDays ? Prisma.sql`daily` : Prisma.sql`null as daily`}
      from pulse_moments where ${where} and "startTime" = ${start}
      order by "metricID"`;
    return rows.map(toMoments);
  }
}

type MomentsRow = {
  metricID: string;
  startTime: bigint;
  endTime: bigint;
  timeZone: string;
  loadedTime: bigint;
  version: number | null;
  latest: string;
  daily: string | null;
};

function toMoments({ metricID, startTime, endTime, timeZone, loadedTime, version, latest, daily }: MomentsRow): StoredMoments {
  return {
    metricID,
    ...{ startTime: Number(startTime), endTime: Number(endTime), loadedTime: Number(loadedTime), version },
    timeZone: timeZone as TimeZone,
    latest: JSON.parse(latest) as Found,
    daily: daily === null ? null : (JSON.parse(daily) as DailySums[]),
  };
}

export function toLoad({
  createdTime,
  startTime,
  endTime,
  timeZone,
  metrics,
  jobs,
  units,
  finishedTime,
  reloadType,
  finishedState,
  subjectType,
  subjectID,
  ruleID,
  ...row
}: LoadRow): PulseLoad {
  return {
    ...row,
    subject: { type: subjectType as Subject["type"], id: subjectID, ruleID: ruleID || null },
    units: units === null ? null : JSON.parse(units),
    reloadType: reloadType as ReloadType,
    finishedState: finishedState as FinishedState | null,
    ...{ createdTime: Number(createdTime), startTime: Number(startTime), endTime: Number(endTime) },
    timeZone: timeZone as TimeZone,
    finishedTime: finishedTime === null ? null : Number(finishedTime),
    metrics: JSON.parse(metrics),
    jobs: JSON.parse(jobs),
  };
}
