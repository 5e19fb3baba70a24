import type { Experiment } from "../../console/experiments/experiment.ts";
import type { Metric } from "../../console/metrics/metric.ts";
import type { ClaimedLoad } from "../../console/results/load-queue-store.ts";
import type { SourcesRead } from "../../console/results/sources-read.ts";
import type { Shares } from "../../results/pulse/shares.ts";
import type { UnitSource } from "../../results/sql/unit-source.ts";
import type { AnalysisOptions } from "../../store/database/engines.ts";
import type { AskedOfUnits } from "../../warehouse/result-engines.ts";
import type { JobEnv } from "../jobs.ts";
import type { ResultEngines } from "../open-result-engines.ts";

/** The name of the operation in the change log and the log of a warehouse. */
export const OPERATION = "runPulseLoad";

/** This replica lost the load: it was canceled, taken over, or is left to others. */
export class Left extends Error {}

/** The turn of the load's project is over. */
export class TurnOver extends Error {}

/** The units that a load compares, and its metrics as they are now. */
export type LoadInput = {
  compared: UnitSource;
  /** Undefined for gates' rules and holdouts. */
  experiment: Experiment | undefined;
  shares: Shares;
  /** The load's metrics and their components, by id. */
  metrics: Map<string, Metric>;
  environments: string[];
  /** The property that results are stratified by. */
  strataProperty: AskedOfUnits["property"];
  /** Whether the events of its units are kept beyond the retention. */
  keepsEvents: boolean;
} & SourcesRead;

/** A load that this replica runs since `begunTime`, ms. `timeoutMs` is the most time for one statement. */
export type LoadRun = {
  env: JobEnv;
  load: ClaimedLoad;
  begunTime: number;
  input: LoadInput;
  engines: ResultEngines;
} & AnalysisOptions;
