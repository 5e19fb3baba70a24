import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { toDate } from "../../common/local-day.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import { type DecidedExperiment, toPortfolio } from "../../results/pulse/portfolio.ts";
import { computePulse } from "../../results/pulse/pulse.ts";
import type { Experiment } from "../experiments/experiment.ts";
import type { Env, Stores } from "../stores.ts";
import { resolveQuery } from "./experiment-pulse.ts";
import { lastLoaded, zoneLoaded } from "./loaded-days.ts";
import { metricsOfExperiment } from "./metrics-of-experiment-handlers.ts";

/** Each costs a read of its results. */
const MAX_EXPERIMENTS = 100;

export const portfolioHandlers = {
  async getExperimentPortfolio({ query, stores }) {
    const timeZone = await stores.settings.timeZone();
    const { data, total } = await stores.experiments.listDecided(query.teamID, MAX_EXPERIMENTS);
    const decided: DecidedExperiment[] = [];
    for (const experiment of data) decided.push(await readDecided(experiment, timeZone, stores));
    const portfolio = { timeZone, ...toPortfolio(decided), moreExperiments: total - data.length };
    return { status: 200, body: { message: "Portfolio read successfully.", data: portfolio } };
  },
} satisfies Partial<Handlers<operations, Env>>;

async function readDecided(experiment: Experiment, timeZone: TimeZone, stores: Stores): Promise<DecidedExperiment> {
  const { id, name, teamID, decisionTime, endTime, launchedGroupID, sequentialTesting } = experiment;
  const groupIDs = experiment.groups.flatMap((group) => (group.id ? [group.id] : []));
  const control = groupIDs.find((group) => group === experiment.controlGroupID) ?? groupIDs[0];
  const isShipped = launchedGroupID !== null && launchedGroupID !== control;
  const test = isShipped ? launchedGroupID : groupIDs.find((group) => group !== control);
  const decidedTime = decisionTime ?? endTime ?? experiment.lastModifiedTime;
  const known = { experimentID: id, experimentName: name, teamID, decidedTime, date: toDate(decidedTime, timeZone), isShipped };
  // Sequential verdicts are those of the planned end, which needs the days.
  const metrics = await metricsOfExperiment(experiment, stores, { withDays: sequentialTesting === true });
  const [last, zone] = [lastLoaded(metrics), zoneLoaded(metrics)];
  if (control === undefined || test === undefined || last === undefined || zone === undefined)
    return { ...known, groupID: test ?? null, primary: [], secondary: [] };
  const results = computePulse(metrics, resolveQuery(experiment, { control, test }, last, zone));
  const ofRole = (role: string) => results.filter((_, index) => metrics[index]?.role === role);
  return { ...known, groupID: test, primary: ofRole("primary"), secondary: ofRole("secondary") };
}
