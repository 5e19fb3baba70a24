import type { Schema } from "@gatehouse/contract/console";
import { distinctTerms, type PercentilePlan, type Plan } from "../results/plans/plan.ts";
import type { Dialect } from "../results/sql/dialect.ts";
import type { SourceTable } from "../results/sql/source-query.ts";
import { sourceQuery, toSourceTable } from "../results/sql/source-query.ts";
import { columnsRead } from "../results/sql/source-rows.ts";
import type { Column, SourceSql } from "../store/database/engines.ts";
import type { WarehouseFailure } from "./warehouse.ts";

/** Why a metric cannot be computed, as its reason says it. */
export class NotComputable extends Error {}

export const NO_WAREHOUSE = "The project has no warehouse, which would have the rows of its metric source.";

/** The same for units of an experiment, or their data, from the warehouse. */
export const NO_FIELDS_OF_USERS = "The warehouse has the units of the experiment, and no fields of their users. Ask for a property.";
export const NO_WAREHOUSE_OF_UNITS = "The project has no warehouse, which would have the units of the experiment.";

/** The same of an ingestion source. */
export const NO_WAREHOUSE_OF_SOURCE = "The project has no warehouse, which would have the rows.";

/** Why a metric has no results or values from a warehouse, as an answer says it. */
export function explainFailure(failure: NotComputable | WarehouseFailure): string {
  return failure instanceof NotComputable ? failure.message : `The warehouse did not answer. ${failure.message}`;
}

type Given = {
  dialect: Dialect;
  /** Asks the warehouse. */
  readColumns(source: SourceSql): Promise<Column[]>;
  /** By their names. */
  sources: ReadonlyMap<string, Schema<"MetricSource">>;
};

/** Asks a warehouse once for the columns of each source, with the formulas that plans read. */
export function createSourceTables({ dialect, sources, ...warehouse }: Given) {
  const known = new Map<string, Promise<Column[]>>();

  /** Not remembered if it fails. */
  function readColumns(name: string, source: SourceSql): Promise<Column[]> {
    const key = JSON.stringify([name, source.formulas]);
    const asked = known.get(key) ?? warehouse.readColumns(source);
    known.set(key, asked);
    asked.catch(() => known.delete(key));
    return asked;
  }

  return {
    /** The sources that plans read. @throws NotComputable, WarehouseFailure */
    async of(plans: readonly (Plan | PercentilePlan)[], idType: string): Promise<SourceTable[]> {
      const tables: SourceTable[] = [];
      for (const [name, read] of columnsRead(distinctTerms(plans))) {
        const source = sources.get(name);
        if (!source) throw new NotComputable(`The metric source ${name} does not exist.`);
        const formulas = source.customFieldMapping.filter(({ key }) => read.includes(key));
        const columns = await readColumns(name, { query: sourceQuery(source, dialect), formulas });
        const table = toSourceTable(source, { columns, idType, read }, dialect);
        if ("reason" in table) throw new NotComputable(table.reason);
        tables.push(table);
      }
      return tables;
    },
  };
}
