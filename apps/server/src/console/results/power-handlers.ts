import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/console";
import { invalid } from "../../common/errors.ts";
import { startOfDay, toDate } from "../../common/local-day.ts";
import { planMetric } from "../../results/plans/metric-plan.ts";
import { readsHistory } from "../../results/plans/plan.ts";
import { askSums } from "../../results/pulse/ask-sums.ts";
import { assumedValue, sharesOfSizes, sumsByDay } from "../../results/pulse/power.ts";
import { forecastPower } from "../../results/pulse/power-forecast.ts";
import { type MomentsRow, momentsQuery } from "../../results/sql/moments-query.ts";
import { written } from "../../results/sql/statement.ts";
import { metricID } from "../common/named.ts";
import { lastDays, readable } from "../metrics/day-values.ts";
import type { AnalysisEnv } from "../stores.ts";

const DEFAULT_DAYS = 28;

export const powerHandlers = {
  async computePower({ body, context, stores, analyse }) {
    const { idType = "userID", days: count = DEFAULT_DAYS, allocation = 100, groups = 2, confidence = 95, power = 80, effect } = body;
    const [metric] = await stores.metrics.findAll([metricID(body.metric)]);
    if (!metric) throw invalid([{ property: "metric", errorMessage: `names the metric ${metricID(body.metric)}, which does not exist` }]);
    const components = await stores.metrics.findAll(metric.lineage.metrics);
    const plan = planMetric(metric, new Map(components.map((one) => [one.id, one])));
    const message = "Power computed successfully.";
    const timeZone = await stores.settings.timeZone();
    const today = startOfDay(context.now, timeZone);
    const asked = lastDays(count + 1, context.now, timeZone).days.slice(0, -1);
    const startDate = toDate(asked[0] as number, timeZone);
    const refused = (reason: string) => ({
      status: 200 as const,
      body: { message, data: { idType, startDate, timeZone, days: [], reason } },
    });
    if ("reason" in plan) return refused(plan.reason);
    if ("percentile" in plan) return refused("How a percentile varies depends on the events around it, which its last days do not tell.");
    const days = readable(asked, await stores.events.sumByDay(undefined, asked[0] as number), today);
    const analysis = {
      projectID: context.projectID,
      exposureSource: { type: "events" as const },
      idType,
      environments: [],
      days,
      earlierDays: [],
      end: today,
    };
    const read = { ...plan, preMs: readsHistory(plan) ? plan.preMs : 0 };
    const { dialect } = stores.events;
    const [daily = []] = await askSums((statement) => analyse<MomentsRow>(statement), [read], analysis, dialect);
    const isRatio = plan.denominator !== undefined;
    const planned = {
      allocation: allocation / 100,
      shares: sharesOfSizes(body.groupSizes ?? Array<number>(groups).fill(1), allocation / 100),
      alpha: 1 - confidence / 100,
      power: power / 100,
      isSequential: body.sequentialTesting ?? false,
      isRatio,
      plan: { type: body.testType ?? ("two_sided" as const) },
      isDecreaseBetter: metric.directionality === "decrease",
    };
    const recent = sumsByDay(daily, days.length);
    const { baseline, unitsPerDay } = body;
    const value = baseline && assumedValue(baseline, planned);
    const data: Schema<"Power"> = {
      ...{ idType, startDate: toDate(days.at(-Math.max(1, recent.length)) as number, timeZone), timeZone },
      ...forecastPower(recent, count, planned, { effect, assumed: { unitsPerDay, value } }),
      sql: written(momentsQuery([read], analysis, dialect), dialect),
    };
    return { status: 200, body: { message, data } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;
