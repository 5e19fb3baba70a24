import type { Plan } from "../../results/plans/plan.ts";
import type { Analysis } from "../../results/sql/analysis.ts";
import { propertyIn } from "../../results/sql/dimension.ts";
import { countsIn, type DimensionCounts, type DimensionRow, dimensionCounts } from "../../results/sql/dimension-counts.ts";
import { countValues } from "../../warehouse/dimension-values.ts";
import { createResultEngines, type ResultEngine } from "../../warehouse/result-engines.ts";
import { NO_FIELDS_OF_USERS, NotComputable } from "../../warehouse/source-tables.ts";
import type { Experiment } from "../experiments/experiment.ts";
import type { Metric } from "../metrics/metric.ts";
import type { AnalysisEnv } from "../stores.ts";
import { readSources } from "./sources-read.ts";

const NO_FIELDS = "The warehouse says which units count. Ask for one dimension.";

type Env = Pick<AnalysisEnv, "stores" | "analyse" | "limited">;

/** How the units of an experiment are divided by a field of their users or by a property. @param metrics none if units are only counted */
export function openDivisions(experiment: Experiment, metrics: readonly Metric[], { stores, analyse, limited }: Env) {
  const { dialect } = stores.events;
  const opened = new Map<string | undefined, ReturnType<typeof open>>();

  async function open(field: string | undefined) {
    const property = field === undefined ? undefined : propertyIn(field);
    return createResultEngines({
      ...(await readSources(stores, metrics, experiment)),
      ...(property && { property: { ...property, source: await stores.entityPropertySources.find(property.name) } }),
      events: { dialect, ask: analyse },
      openWarehouse: () => stores.warehouse.open(),
      limited,
    });
  }

  /** Units are listed with the value of one field. */
  function enginesFor(field: string | undefined) {
    const engines = opened.get(field) ?? open(field);
    opened.set(field, engines);
    return engines;
  }

  return {
    /**
     * Counts units by the values of a field.
     * @param field undefined for those that divide units well
     * @throws NotComputable, WarehouseFailure
     */
    async counts(analysis: Analysis, field: string | undefined): Promise<DimensionCounts[]> {
      if (field === undefined) {
        if (experiment.assignmentSourceName || experiment.qualifyingEventName) throw new NotComputable(NO_FIELDS);
        return countsIn(await analyse<DimensionRow>(dimensionCounts(analysis, field, dialect)), field);
      }
      if (experiment.assignmentSourceName && !propertyIn(field)) throw new NotComputable(NO_FIELDS_OF_USERS);
      const counted = await countValues(await enginesFor(field), { dialect, ask: analyse }, analysis, field);
      return counted ? [counted] : [];
    },

    /** @param analysis with a dimension that has a field @throws NotComputable, WarehouseFailure */
    async engineFor(plans: readonly Plan[], analysis: Analysis): Promise<ResultEngine> {
      const field = analysis.dimension && "field" in analysis.dimension ? analysis.dimension.field : undefined;
      return (await enginesFor(field)).engineFor(plans, analysis);
    },
  };
}
