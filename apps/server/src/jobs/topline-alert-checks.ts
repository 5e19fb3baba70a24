import { systemContext } from "../common/system-context.ts";
import { UTC } from "../common/time-zone.ts";
import { checked } from "../console/alerts/alert-check.ts";
import { claimAlertCheck, type DueAlert, listDueAlerts } from "../console/alerts/alert-check-store.ts";
import { computeFinding, type Finding } from "../console/alerts/alert-thresholds.ts";
import { toMetricName } from "../console/common/named.ts";
import { productionTiers } from "../console/environments/environment-set.ts";
import { emptyDay, listUnitTypes, valuesByDay } from "../console/metrics/day-values.ts";
import type { Metric } from "../console/metrics/metric.ts";
import { readSources } from "../console/results/sources-read.ts";
import { planOfDay } from "../results/plans/daily-plan.ts";
import { planAnywhere } from "../results/plans/metric-plan.ts";
import { isOfActivity } from "../results/sql/activity-query.ts";
import { type ValuedDays, type ValuesRow, valuesQuery } from "../results/sql/values-query.ts";
import { eventDialect } from "../store/database/ask.ts";
import { type Db, repeating } from "../store/database/unit-of-work.ts";
import { createSourceTables, explainFailure, NO_WAREHOUSE, NotComputable } from "../warehouse/source-tables.ts";
import { WarehouseFailure } from "../warehouse/warehouse.ts";
import { eachBatch } from "./each-batch.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

/** The most time to compute the value of one alert: less than the time between two checks. */
const TIMEOUT_MS = 30_000;
const OPERATION = "lookAtAlerts";

/** Checks each alert when it is due, on one replica: computes its value, and stores its status and events. */
export const toplineAlertChecks: Job = {
  name: "toplineAlertChecks",
  intervalMs: 60_000,
  run: (env) => checkAlerts(env),
};

/** Checks the alerts that are due. @param projectID only those of a project */
export async function checkAlerts(env: JobEnv, projectID?: string): Promise<void> {
  const now = env.now();
  for await (const one of eachBatch(env, (db: Db, after: DueAlert | undefined) => listDueAlerts(db, now, { projectID, after }))) {
    if (env.stopping?.aborted) return;
    await checkAlert(env, one);
  }
}

/** A failure is logged: earlier findings stay until the next check is due. */
async function checkAlert(env: JobEnv, due: DueAlert): Promise<void> {
  const { database, log, now } = env;
  const { projectID, alert } = due;
  const beginTime = now();
  try {
    if (!(await repeating(database, (db) => claimAlertCheck(db, due, beginTime)))) return;
    const known = await readKnown(env, due);
    const finding = await find(env, due, known, beginTime);
    await writeAs(database, systemContext(OPERATION, now(), projectID), async ({ alerts }) => {
      const current = await alerts.find(alert.id, { lock: true });
      // An alert that has changed is due again at once.
      if (current?.version !== alert.version) return;
      await alerts.checks.save(alert.id, beginTime, (before) =>
        checked(before, finding, { alert, metricName: known.metricName }, beginTime),
      );
    });
  } catch (err) {
    log.warn({ err, projectID, alert: alert.id }, "An alert could not be checked. It will be when the next check is due.");
  }
}

const incomplete = (reason: string): Finding => ({ value: null, reason, isIncomplete: true });

/** The number that the alert compares, at the end of a window, ms. */
async function find(env: JobEnv, { projectID, alert }: DueAlert, known: Known, end: number): Promise<Finding> {
  const { metric, metricName, components, environments } = known;
  if (!metric) return incomplete(`The metric ${metricName} does not exist.`);
  if (metric.isHidden) return incomplete(`The metric ${metricName} is archived.`);
  const plan = planOfDay(metric, components, planAnywhere);
  if ("reason" in plan) return incomplete(`The metric ${metricName} has no value over a window: ${plan.reason}`);
  if (isOfActivity(plan)) return incomplete(`The metric ${metricName} counts users on whole days, so it has no value over other windows.`);
  const days = windowsBefore(end, alert);
  const asked = { projectID, idType: listUnitTypes(metric)[0] as string, days, end, timeZone: UTC, environments };
  try {
    const rows = await (plan.from === "warehouse" ? askWarehouse(env, { metric, plan, asked }) : askEvents(env, plan, asked));
    const values = valuesByDay(rows, 0, plan);
    const valueOn = (day: number) => (values.get(day) ?? emptyDay(plan)).value;
    return computeFinding(alert, days.length === 1 ? [undefined, valueOn(1)] : [valueOn(1), valueOn(2)]);
  } catch (err) {
    if (env.stopping?.aborted) throw err;
    if (err instanceof NotComputable) return incomplete(`The metric ${metricName} has no value: ${explainFailure(err)}`);
    env.log.warn({ err, projectID, alert: alert.id }, "The value of an alert could not be computed.");
    const reason = err instanceof WarehouseFailure ? explainFailure(err) : "The value could not be computed. The server's log says why.";
    return { value: null, reason, isIncomplete: false };
  }
}

type Plan = Exclude<ReturnType<typeof planOfDay>, { reason: string }>;

const limits = ({ stopping = new AbortController().signal }: JobEnv) => ({ timeoutMs: TIMEOUT_MS, signal: stopping });

function askEvents(env: JobEnv, plan: Plan, asked: ValuedDays): Promise<ValuesRow[]> {
  const { text, parameters } = valuesQuery([plan], asked, eventDialect(env.database.db));
  return env.database.analyse<ValuesRow>(
    text,
    parameters.map(({ value }) => value),
    limits(env),
  );
}

/** @throws NotComputable, WarehouseFailure */
async function askWarehouse(env: JobEnv, { metric, plan, asked }: { metric: Metric; plan: Plan; asked: ValuedDays }): Promise<ValuesRow[]> {
  const context = systemContext(OPERATION, env.now(), asked.projectID);
  const { warehouse, sources } = await writeAs(env.database, context, async (stores) => ({
    warehouse: await stores.warehouse.open(),
    ...(await readSources(stores, [metric], undefined)),
  }));
  if (!warehouse) throw new NotComputable(NO_WAREHOUSE);
  const options = limits(env);
  const tables = await createSourceTables({
    dialect: warehouse.dialect,
    readColumns: (source) => warehouse.readColumns(source, options),
    sources,
  }).of([plan], asked.idType);
  return warehouse.ask<ValuesRow>(valuesQuery([plan], { ...asked, sources: tables }, warehouse.dialect), options);
}

/** When the windows that an alert compares begin, ms. */
function windowsBefore(end: number, { alertType, windowMs }: DueAlert["alert"]): number[] {
  return alertType === "threshold" ? [end - windowMs] : [end - 2 * windowMs, end - windowMs];
}

type Known = { metric: Metric | undefined; metricName: string; components: Map<string, Metric>; environments: string[] };

function readKnown({ database, now }: JobEnv, { projectID, alert }: DueAlert): Promise<Known> {
  return writeAs(database, systemContext(OPERATION, now(), projectID), async ({ metrics, environments }) => {
    const { id } = alert.metrics.A;
    const [metric] = await metrics.findAll([id]);
    const components = await metrics.findAll(metric?.lineage.metrics ?? []);
    return {
      metric,
      metricName: await metrics.callByName(toMetricName(id)),
      components: new Map(components.map((one) => [one.id, one])),
      environments: productionTiers(await environments.get()),
    };
  });
}
