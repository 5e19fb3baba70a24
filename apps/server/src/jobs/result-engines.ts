import type { AssignmentSource } from "../console/assignment-sources/assignment-source.ts";
import type { Experiment } from "../console/experiments/experiment.ts";
import type { MetricSource } from "../console/metric-sources/metric-source.ts";
import { type Assignments, assignmentsOf } from "../results/assignments.ts";
import type { Analysis } from "../results/days.ts";
import type { Dialect } from "../results/dialect.ts";
import { assignmentCounts, type ExposureCountsRow } from "../results/exposure-counts.ts";
import type { PercentilePlan, Plan } from "../results/plan.ts";
import { queryOf } from "../results/source-query.ts";
import { type Statement, written } from "../results/statement.ts";
import { type UnitsRow, unitsQuery } from "../results/units-query.ts";
import { dialectOf } from "../store/ask.ts";
import type { AnalysisOptions, Database } from "../store/database.ts";
import { createSourceTables, NO_WAREHOUSE, NO_WAREHOUSE_OF_UNITS, NotComputable } from "../warehouse/source-tables.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";

/** The most units of which a warehouse is asked: each is about 60 bytes of a statement. */
export const MOST_UNITS = 1_000_000;

/** Where metrics are computed, and from what. */
export type ResultEngine = {
  analysis: Analysis;
  dialect: Dialect;
  ask<Row>(statement: Statement): Promise<Row[]>;
  /** The statement as people read it. */
  shown(statement: Statement): string;
};

type Given = {
  database: Database;
  /** @throws WarehouseFailure */
  openWarehouse: () => Promise<Warehouse | undefined>;
  sources: ReadonlyMap<string, MetricSource>;
  /** Given if the units come from an assignment source. */
  assigned: Assigned | undefined;
  options: AnalysisOptions;
};

/** An experiment with an assignment source, which may be gone. */
export type Assigned = { experiment: Experiment; name: string; source: AssignmentSource | undefined };

/** The engines of one load, which asks a warehouse once for the columns of a source, and the database once for the units. */
export function createResultEngines({ database, openWarehouse, sources, assigned, options }: Given) {
  const ofEvents = dialectOf(database.db);
  const askEvents = <Row>({ text, parameters }: Statement) =>
    database.analyse<Row>(
      text,
      parameters.map(({ value }) => value),
      options,
    );
  const warehouse = once(async () => {
    const opened = await openWarehouse();
    if (!opened) throw new NotComputable(assigned ? NO_WAREHOUSE_OF_UNITS : NO_WAREHOUSE);
    return opened;
  });
  const sourceTables = once(async () => createSourceTables({ warehouse: await warehouse(), sources, options }));
  let units: (() => Promise<string>) | undefined;
  const assignments = assigned && once(() => findAssignments(assigned));

  async function listUnits(analysis: Analysis): Promise<string> {
    const [row] = await askEvents<UnitsRow>(unitsQuery(analysis, MOST_UNITS, ofEvents));
    if (Number(row?.units) > MOST_UNITS)
      throw new NotComputable(`A warehouse is asked about at most ${MOST_UNITS.toLocaleString("en")} units, and more were exposed.`);
    return row?.listed ?? "[]";
  }

  async function findAssignments({ experiment, name, source }: Assigned): Promise<Assignments> {
    if (!source) throw new NotComputable(`The assignment source ${name} does not exist.`);
    const { columnsOf, dialect } = await warehouse();
    const query = queryOf({ sourceType: "query", sql: source.sql, tableName: "" }, dialect);
    const found = assignmentsOf(source, experiment, await columnsOf(query, options), dialect);
    if ("reason" in found) throw new NotComputable(found.reason);
    return found;
  }

  return {
    /** Counts the units of the assignment source; undefined without one. @throws NotComputable, WarehouseFailure */
    countAssigned:
      assignments &&
      (async (scope: { startTime: number; endTime: number }): Promise<ExposureCountsRow[]> => {
        const found = await assignments();
        const { ask, dialect } = await warehouse();
        return ask<ExposureCountsRow>(assignmentCounts(found, scope, dialect), options);
      }),

    /** @throws NotComputable, WarehouseFailure */
    async engineFor(plans: readonly (Plan | PercentilePlan)[], analysis: Analysis): Promise<ResultEngine> {
      if (!assignments && plans.every(({ from }) => from === undefined))
        return { analysis, dialect: ofEvents, ask: askEvents, shown: (statement) => written(statement, ofEvents) };
      const { ask, dialect } = await warehouse();
      const tables = await (await sourceTables()).of(plans, analysis.idType);
      units ??= once(() => listUnits(analysis));
      const given = await (assignments ?? units)();
      const isUnits = ({ value }: Statement["parameters"][number]) => value === given;
      return {
        analysis: { ...analysis, warehouse: { sources: tables, units: given } },
        dialect,
        ask: (statement) => ask(statement, options),
        shown: ({ text, parameters }) =>
          written({ text, parameters: parameters.map((one) => (isUnits(one) ? { ...one, value: UNITS_SHOWN } : one)) }, dialect),
      };
    },
  };
}

/** Stands for the list of units, which can be very long. */
const UNITS_SHOWN = '[["unit", "group", 0, null], …]';

/** What is asked once, unless it failed. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined;
  return () => {
    asked ??= ask().catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}
