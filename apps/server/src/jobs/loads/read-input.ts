import { systemContext } from "../../common/system-context.ts";
import { metricID } from "../../console/common/named.ts";
import { productionTiers } from "../../console/environments/environment-set.ts";
import { analysesOfGate, analysesOfHoldout, UNDECIDED } from "../../console/events/analyses.ts";
import type { ClaimedLoad } from "../../console/results/load-queue-store.ts";
import { comparedInPhase } from "../../console/results/phase.ts";
import { readSources } from "../../console/results/sources-read.ts";
import type { Stores } from "../../console/stores.ts";
import { sharesOfGroups, sharesOfPassing } from "../../results/pulse/shares.ts";
import type { Subject } from "../../results/pulse/subject.ts";
import { propertyIn } from "../../results/sql/dimension.ts";
import { experimentUnitSource } from "../../results/sql/unit-source.ts";
import type { JobEnv } from "../jobs.ts";
import { writeAs } from "../write-as.ts";
import { Left, type LoadInput, OPERATION } from "./load-run.ts";

/** @throws Left if the load's subject was deleted, and its loads with it */
export function readInput({ database, now }: JobEnv, load: ClaimedLoad): Promise<LoadInput> {
  return writeAs(database, systemContext(OPERATION, now(), load.projectID), async (stores) => {
    const [subject, environments] = await Promise.all([readSubject(stores, load.projectID, load.subject), stores.environments.get()]);
    const covariates = (subject.experiment?.cureCovariates ?? []).map(metricID);
    const metrics = await stores.metrics.findAll([...load.metrics.map((one) => one.metricID), ...covariates]);
    const components = await stores.metrics.findAll(metrics.flatMap(({ lineage }) => lineage.metrics));
    return {
      ...subject,
      ...(await readSources(stores, metrics, subject.experiment)),
      metrics: new Map([...components, ...metrics].map((metric) => [metric.id, metric])),
      environments: productionTiers(environments),
      strataProperty: await readProperty(stores, subject.experiment?.postStratifyBy),
    };
  });
}

async function readSubject(
  stores: Stores,
  projectID: string,
  { type, id, ruleID }: Subject,
): Promise<Pick<LoadInput, "compared" | "experiment" | "shares" | "keepsEvents">> {
  if (type === "experiment") {
    const experiment = await stores.experiments.find(id);
    if (!experiment) throw new Left();
    const keepsEvents = UNDECIDED.includes(experiment.status);
    return { compared: experimentUnitSource(experiment), experiment, shares: sharesOfGroups(experiment), keepsEvents };
  }
  const holder = await (type === "gate" ? stores.gates : stores.holdouts).find(id);
  if (!holder) throw new Left();
  const analyses = "rules" in holder ? analysesOfGate(projectID, holder) : analysesOfHoldout(projectID, holder);
  const keepsEvents = analyses.some((one) => one.type !== "experiment" && one.ruleID === ruleID);
  const compared = comparedInPhase(holder, ruleID);
  return { compared, experiment: undefined, shares: sharesOfPassing(compared.exposureSource), keepsEvents };
}

async function readProperty({ entityPropertySources }: Stores, field = ""): Promise<LoadInput["strataProperty"]> {
  const property = propertyIn(field);
  return property && { ...property, source: await entityPropertySources.find(property.name) };
}
