import type { Schema } from "@gatehouse/contract/console";
import { once } from "../common/once.ts";
import type { PercentilePlan, Plan } from "../results/plans/plan.ts";
import type { Analysis } from "../results/sql/analysis.ts";
import { type Assignments, toAssignments } from "../results/sql/assignments.ts";
import type { Dialect } from "../results/sql/dialect.ts";
import type { Exposed } from "../results/sql/exposed.ts";
import { assignmentCounts, type ExposureCountsRow } from "../results/sql/exposure-counts.ts";
import { type Property, qualifiedCounts, refinedUnitsQuery, toProperty } from "../results/sql/refined-units.ts";
import type { SourceTable } from "../results/sql/source-query.ts";
import { sourceQuery, toSourceTable } from "../results/sql/source-query.ts";
import { type Statement, written } from "../results/sql/statement.ts";
import { shownUnitsQuery, type UnitsRow, unitsQuery } from "../results/sql/units-query.ts";
import type { AnalysisOptions, Column, SourceSql, Warehouse } from "../store/database/engines.ts";
import { createSourceTables, NO_WAREHOUSE, NO_WAREHOUSE_OF_UNITS, NotComputable } from "./source-tables.ts";

/** Maximum number of units sent to a warehouse. Each is about 60 bytes of a statement. */
const MOST_UNITS = 1_000_000;

/** The engine and the input of metrics. */
export type ResultEngine = {
  analysis: Analysis;
  dialect: Dialect;
  ask<Row>(statement: Statement): Promise<Row[]>;
  /** The statement as people read it. */
  shown(statement: Statement): string;
};

/** The sources of a warehouse's data about units, by name. They may be gone. */
export type AskedOfUnits = {
  /** Given if the units come from an assignment source. */
  assigned?: { experiment: Schema<"Experiment">; name: string; source: Schema<"AssignmentSource"> | undefined } | undefined;
  /** Given if only units count that qualify. */
  qualifying?: { name: string; source: Schema<"QualifyingEvent"> | undefined } | undefined;
  /** Given if units are divided by a property. */
  property?: { name: string; source: Schema<"EntityPropertySource"> | undefined; column: string } | undefined;
};

type Given = {
  /** The engine that has events and exposures. */
  events: { dialect: Dialect; ask<Row>(statement: Statement): Promise<Row[]> };
  /** @throws WarehouseFailure */
  openWarehouse: () => Promise<Warehouse | undefined>;
  /** Runs a statement on the warehouse within the limits of the caller. */
  limited<T>(work: (options: AnalysisOptions) => Promise<T>): Promise<T>;
  /** The metric sources that plans read, by their names. */
  sources: ReadonlyMap<string, Schema<"MetricSource">>;
} & AskedOfUnits;

export type ResultEngines = ReturnType<typeof createResultEngines>;

/** The exposures whose units are counted, and the units' type. */
export type CountScope = Exposed & { idType: string };

/** The engines of one load or request, which asks a warehouse once for the columns of a source and for the units, and the database once for these. */
export function createResultEngines({ events, openWarehouse, limited, sources, assigned, qualifying, property }: Given) {
  const isRefined = qualifying !== undefined || property !== undefined;
  const warehouse = once(async () => {
    const opened = await openWarehouse();
    if (!opened) throw new NotComputable(assigned || isRefined ? NO_WAREHOUSE_OF_UNITS : NO_WAREHOUSE);
    return {
      dialect: opened.dialect,
      readColumns: (source: SourceSql): Promise<Column[]> => limited((options) => opened.readColumns(source, options)),
      ask: <Row>(statement: Statement): Promise<Row[]> => limited((options) => opened.ask<Row>(statement, options)),
    };
  });
  const sourceTables = once(async () => createSourceTables({ ...(await warehouse()), sources }));

  const findAssignments = once(async ({ experiment, name, source }: NonNullable<typeof assigned>): Promise<Assignments> => {
    const { readColumns, dialect } = await warehouse();
    const found = existing(source, `assignment source ${name}`);
    const columns = await readColumns({ query: sourceQuery({ sourceType: "query", sql: found.sql, tableName: "" }, dialect) });
    return computable(toAssignments(found, experiment, columns, dialect));
  });

  const findQualifying = once(async (idType: string): Promise<SourceTable | undefined> => {
    if (!qualifying) return undefined;
    const { readColumns, dialect } = await warehouse();
    const source = existing(qualifying.source, `qualifying event ${qualifying.name}`);
    const columns = await readColumns({ query: sourceQuery(source, dialect) });
    return computable(toSourceTable(source, { columns, idType, read: [], noun: "qualifying event" }, dialect));
  });

  const findProperty = once(async (idType: string): Promise<Property | undefined> => {
    if (!property) return undefined;
    const { readColumns, dialect } = await warehouse();
    const source = existing(property.source, `entity property source ${property.name}`);
    const columns = await readColumns({ query: sourceQuery({ sourceType: "query", sql: source.sql, tableName: "" }, dialect) });
    return computable(toProperty(source, { column: property.column, idType, columns }, dialect));
  });

  const findUnits = once(async (analysis: Analysis): Promise<string | Assignments> => {
    const { dimension, ...undivided } = analysis;
    const shown = assigned
      ? await findAssignments(assigned)
      : await listed(unitsQuery(property ? undivided : valuesAsTexts(analysis), MOST_UNITS, events.dialect), events.ask);
    if (!isRefined) return shown;
    const refining = { property: await findProperty(analysis.idType), qualifying: await findQualifying(analysis.idType) };
    const { ask, dialect } = await warehouse();
    return listed(refinedUnitsQuery(refining, { ...undivided, units: shown }, MOST_UNITS, dialect), ask);
  });

  return {
    /** The engine that has events and exposures. */
    events,

    /** Counts the units of each group on the warehouse; undefined if exposures alone say which there are. @throws NotComputable, WarehouseFailure */
    countUnits:
      (assigned || qualifying) &&
      (async (scope: CountScope): Promise<ExposureCountsRow[]> => {
        const qualifyingRows = await findQualifying(scope.idType);
        const shown = assigned
          ? await findAssignments(assigned)
          : await listed(shownUnitsQuery(scope, MOST_UNITS, events.dialect), events.ask);
        const { ask, dialect } = await warehouse();
        if (qualifyingRows) return ask(qualifiedCounts(shown, qualifyingRows, scope, dialect));
        return ask(assignmentCounts(shown as Assignments, scope, dialect));
      }),

    /**
     * The units that are compared, with the value of the dimension of each; undefined if exposures alone say which there are.
     * @throws NotComputable, WarehouseFailure
     */
    selectUnits: async (analysis: Analysis): Promise<string | Assignments | undefined> =>
      assigned || isRefined ? findUnits(analysis) : undefined,

    /** @throws NotComputable, WarehouseFailure */
    async engineFor(plans: readonly (Plan | PercentilePlan)[], analysis: Analysis): Promise<ResultEngine> {
      const isOfRows = assigned !== undefined || plans.some(({ from }) => from !== undefined);
      if (!isOfRows && !isRefined)
        return { analysis, dialect: events.dialect, ask: events.ask, shown: (statement) => written(statement, events.dialect) };
      const tables = isOfRows ? { sources: await (await sourceTables()).of(plans, analysis.idType) } : {};
      const units = await findUnits(analysis);
      const { ask, dialect } = isOfRows ? await warehouse() : events;
      const isUnits = ({ value }: Statement["parameters"][number]) => value === units;
      return {
        analysis: { ...analysis, ...tables, units },
        dialect,
        ask,
        shown: ({ text, parameters }) =>
          written({ text, parameters: parameters.map((one) => (isUnits(one) ? { ...one, value: UNITS_SHOWN } : one)) }, dialect),
      };
    },
  };
}

/** Stands for the list of units, which can be very long. */
const UNITS_SHOWN = '[["unit", "group", 0, null, 0], …]';

/** Lists have the value of each unit, even if results group several of them. */
function valuesAsTexts(analysis: Analysis): Analysis {
  const { dimension } = analysis;
  return dimension?.of === "values" ? { ...analysis, dimension: { of: "text", field: dimension.field } } : analysis;
}

/** @throws NotComputable if there are too many */
async function listed(statement: Statement, ask: ResultEngine["ask"]): Promise<string> {
  const [row] = await ask<UnitsRow>(statement);
  if (Number(row?.units) > MOST_UNITS)
    throw new NotComputable(`A warehouse is asked about at most ${MOST_UNITS.toLocaleString("en")} units, and more were exposed.`);
  return row?.listed ?? "[]";
}

/** @param called the kind and the name of the source */
function existing<Source>(source: Source | undefined, called: string): Source {
  if (source === undefined) throw new NotComputable(`The ${called} does not exist.`);
  return source;
}

function computable<Found extends object>(found: Found | { reason: string }): Found {
  if ("reason" in found) throw new NotComputable(found.reason);
  return found;
}
