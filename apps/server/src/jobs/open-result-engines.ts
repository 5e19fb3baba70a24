import { systemContext } from "../common/system-context.ts";
import type { SourcesRead } from "../console/results/sources-read.ts";
import type { Statement } from "../results/sql/statement.ts";
import { eventDialect } from "../store/database/ask.ts";
import type { AnalysisOptions } from "../store/database/engines.ts";
import { type AskedOfUnits, createResultEngines, type ResultEngines } from "../warehouse/result-engines.ts";
import type { JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

export type { ResultEngines };

type Asking = {
  projectID: string;
  /** The operation that opens the warehouse, for its log. */
  operation: string;
  known: SourcesRead & Pick<AskedOfUnits, "property">;
  /** The options of each statement. */
  options: AnalysisOptions;
};

/** The engines for a job's computation. */
export function openResultEngines({ database, now }: JobEnv, { projectID, operation, known, options }: Asking): ResultEngines {
  const { sources, assigned, qualifying, property } = known;
  return createResultEngines({
    ...{ sources, assigned, qualifying, property },
    events: {
      dialect: eventDialect(database.db),
      ask: <Row>({ text, parameters }: Statement) => {
        const values = parameters.map(({ value }) => value);
        return database.analyse<Row>(text, values, options);
      },
    },
    openWarehouse: () => writeAs(database, systemContext(operation, now(), projectID), ({ warehouse }) => warehouse.open()),
    limited: (work) => work(options),
  });
}
