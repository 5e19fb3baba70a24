import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid } from "../../common/errors.ts";
import { toDate } from "../../common/local-day.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import { planOfDay } from "../../results/plans/daily-plan.ts";
import { METRICS_PER_STATEMENT } from "../../results/plans/load-parts.ts";
import { planAnywhere } from "../../results/plans/metric-plan.ts";
import { sourceNames } from "../../results/plans/source-events.ts";
import { isOfActivity } from "../../results/sql/activity-query.ts";
import { written } from "../../results/sql/statement.ts";
import type { ValuesRow } from "../../results/sql/values-query.ts";
import { createSourceTables, explainFailure, NO_WAREHOUSE, NotComputable } from "../../warehouse/source-tables.ts";
import { metricID } from "../common/named.ts";
import { pageThrough, paginate, toWindow } from "../common/page.ts";
import { readingWarehouse } from "../common/reading-warehouse.ts";
import type { AnalysisEnv, Stores } from "../stores.ts";
import { isAutomaticType, requireAutomatic } from "./automatic-metric.ts";
import {
  type DayPlan,
  type DayValue,
  emptyDay,
  eventsOfPlan,
  lastDays,
  listUnitTypes,
  readable,
  requirePlan,
  singleDay,
  valuesByDay,
  valuesStatement,
} from "./day-values.ts";
import { funnelsWithFewerSteps, stepCounts } from "./funnel-steps.ts";
import { type Metric, metricToPreview } from "./metric.ts";

type Planned = { metric: Metric; plan: DayPlan; unitType: string };

export const valueHandlers = {
  async previewMetric({ body: { unitType: given, days: count = 14, endDate, ...definition }, context, stores, analyse, limited }) {
    const metric = await previewed(definition, context, stores);
    const unitType = given ?? (listUnitTypes(metric)[0] as string);
    const plan = planOfDay(metric, await readComponents([metric], stores), planAnywhere);
    const message = "Metric previewed successfully.";
    const timeZone = await stores.settings.timeZone();
    if ("reason" in plan) return { status: 200, body: { message, data: { unitType, timeZone, days: [], reason: plan.reason } } };
    const last = endDate === undefined ? context.now : singleDay(endDate, context.now, timeZone, "endDate").days[0];
    const { days: asked, end } = lastDays(count, last, timeZone);
    if (plan.from === "warehouse") {
      const found = await valuesOfRows(metric, plan, { unitType, days: asked, end, timeZone }, { context, stores, limited });
      if ("reason" in found) return { status: 200, body: { message, data: { unitType, timeZone, days: [], ...found } } };
      return { status: 200, body: { message, data: { unitType, timeZone, ...found } } };
    }
    const days = readable(asked, await stores.events.sumByDay(eventsOfPlan(plan), asked[0] as number), end);
    const shorter = await shorterFunnels(metric, stores);
    const statement = valuesStatement(
      [plan, ...shorter],
      { projectID: context.projectID, idType: unitType, days, end, timeZone },
      stores.events.dialect,
    );
    const rows = await analyse<ValuesRow>(statement);
    const data = {
      ...{ unitType, timeZone },
      days: byDay(rows, plan, { days, timeZone }),
      ...(metric.type === "funnel" && metric.funnelEventList.length > 1 && { steps: stepCounts(metric, rows, days.length) }),
      sql: written(statement, stores.events.dialect),
    };
    return { status: 200, body: { message, data } };
  },

  async getMetricValue({ query, context, stores, analyse }) {
    const { id, date } = query;
    const day = singleDay(date, context.now, await stores.settings.timeZone());
    const metric = await stores.metrics.read(id);
    const plan = requirePlan(metric, await readComponents([metric], stores));
    const data: Schema<"MetricValueOfUnit">[] = [];
    for (const unitType of listUnitTypes(metric)) {
      const statement = valuesStatement([plan], { projectID: context.projectID, idType: unitType, ...day }, stores.events.dialect);
      const found: DayValue = valuesByDay(await analyse<ValuesRow>(statement), 0, plan).get(1) ?? { row_count: 0 };
      const { value, ...rest } = found;
      if (value !== undefined && rest.row_count > 0) data.push({ value, unit_type: unitType, ...rest });
    }
    return { status: 200, body: { message: "Metric read successfully.", ...pageThrough("/console/v1/metrics", query, data) } };
  },

  async listMetricValues({ query, context, stores, analyse }) {
    const day = singleDay(query.date, context.now, await stores.settings.timeZone());
    const { data: metrics, total } = await stores.metrics.listNamed({ name: query.metricName, type: query.metricType }, toWindow(query));
    const components = await readComponents(metrics, stores);
    const planned = metrics.flatMap((metric): Planned[] => {
      const plan = planOfDay(metric, components);
      return "reason" in plan ? [] : listUnitTypes(metric).map((unitType) => ({ metric, plan, unitType }));
    });
    const values = new Map<Planned, DayValue>();
    for (const part of parts(planned)) {
      const idType = part[0]?.unitType as string;
      const plans = part.map(({ plan }) => plan);
      const rows = await analyse<ValuesRow>(
        valuesStatement(plans, { projectID: context.projectID, idType, ...day }, stores.events.dialect),
      );
      for (const [index, one] of part.entries()) {
        const value = valuesByDay(rows, index, one.plan).get(1);
        if (value) values.set(one, value);
      }
    }
    const data = planned.flatMap((one): Schema<"MetricValue">[] => {
      const found: DayValue = values.get(one) ?? { row_count: 0 };
      const { value, row_count: inputRows, ...rest } = found;
      if (value === undefined || inputRows === 0) return [];
      const { name, type } = one.metric;
      return [{ value, unitType: one.unitType, inputRows, ...rest, metricName: name, metricType: type, displayName: name }];
    });
    const pagination = paginate("/console/v1/metrics/values", query, total);
    return { status: 200, body: { message: "Metric values listed successfully.", data, pagination } };
  },

  async getMetricSql({ path, query: { days: count = 14 }, context, stores }) {
    const metric = await stores.metrics.read(path.id);
    const plan = requirePlan(metric, await readComponents([metric], stores));
    const idType = listUnitTypes(metric)[0] as string;
    const asked = lastDays(count, context.now, await stores.settings.timeZone());
    const { dialect } = stores.events;
    const sql = written(valuesStatement([plan], { projectID: context.projectID, idType, ...asked }, dialect), dialect);
    return { status: 200, body: { message: "Metric SQL read successfully.", data: { sql } } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

type Asked = { unitType: string; days: readonly number[]; end: number; timeZone: TimeZone };

/** The values of a metric from rows of the project's warehouse with their statement, or the reason for missing values. */
async function valuesOfRows(
  metric: Metric,
  plan: DayPlan,
  { unitType: idType, ...days }: Asked,
  { context, stores, limited }: Pick<AnalysisEnv, "context" | "stores" | "limited">,
): Promise<{ days: Schema<"MetricDay">[]; sql: string } | { reason: string }> {
  const found = await readingWarehouse(async () => {
    const warehouse = await stores.warehouse.open();
    if (!warehouse) throw new NotComputable(NO_WAREHOUSE);
    const named = await stores.metricSources.findAll(sourceNames(metric));
    const sources = new Map(named.map((source) => [source.name, source]));
    return limited(async (options) => {
      const tables = await createSourceTables({
        dialect: warehouse.dialect,
        readColumns: (source) => warehouse.readColumns(source, options),
        sources,
      }).of([plan], idType);
      const statement = valuesStatement([plan], { projectID: context.projectID, idType, ...days, sources: tables }, warehouse.dialect);
      return { days: byDay(await warehouse.ask<ValuesRow>(statement, options), plan, days), sql: written(statement, warehouse.dialect) };
    });
  });
  return "failure" in found ? { reason: explainFailure(found.failure) } : found.value;
}

function byDay(rows: readonly ValuesRow[], plan: DayPlan, { days, timeZone }: Pick<Asked, "days" | "timeZone">): Schema<"MetricDay">[] {
  const values = valuesByDay(rows, 0, plan);
  return days.map((day, index) => ({ date: toDate(day, timeZone), ...(values.get(index + 1) ?? emptyDay(plan)) }));
}

/** The plans of a funnel that ends earlier: with its first two steps, three, and so on. */
async function shorterFunnels(metric: Metric, stores: Stores): Promise<DayPlan[]> {
  const components = await readComponents([metric], stores);
  return funnelsWithFewerSteps(metric).map((shorter) => requirePlan(shorter, components));
}

/** The metrics that others are made of, by id. */
async function readComponents(metrics: readonly Metric[], stores: Stores): Promise<Map<string, Metric>> {
  const components = await stores.metrics.findAll(metrics.flatMap(({ lineage }) => lineage.metrics));
  return new Map(components.map((metric) => [metric.id, metric]));
}

/** @throws AppError invalid_request with every violation of a definition, or if the automatic metric does not exist */
async function previewed(definition: Parameters<typeof metricToPreview>[0], context: Context, stores: Stores): Promise<Metric> {
  const { id, type, name } = metricToPreview(definition, context);
  if (!isAutomaticType(type)) return metricToPreview(definition, context);
  if (definition.name === undefined) throw invalid([{ property: "name", errorMessage: `is required with type ${type}` }]);
  const [metric] = await stores.metrics.findAll([metricID({ name, type })]);
  return requireAutomatic(metric, id);
}

/** Groups of metrics that one statement computes together. */
function parts(planned: readonly Planned[]): Planned[][] {
  const alike = new Map<string, Planned[][]>();
  for (const one of planned) {
    const key = JSON.stringify([one.unitType, isOfActivity(one.plan)]);
    const own = alike.get(key) ?? [];
    const last = own.at(-1);
    if (last && last.length < METRICS_PER_STATEMENT) last.push(one);
    else own.push([one]);
    alike.set(key, own);
  }
  return [...alike.values()].flat();
}
