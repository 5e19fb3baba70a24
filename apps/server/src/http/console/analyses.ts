import type { OperationDescription } from "@gatehouse/contract";
import type { Response } from "express";
import { AppError } from "../../common/errors.ts";
import { createFairLimit } from "../../common/fair-queue.ts";
import { type Deadline, deadline } from "../../common/signals.ts";
import type { AnalysisEnv, Limited } from "../../console/stores.ts";
import type { Statement } from "../../results/sql/statement.ts";
import type { Database } from "../../store/database/database.ts";
import { isTimeout } from "../../store/database/database-errors.ts";

const LIMIT_MS = 10_000;
const MODEL_LIMIT_MS = 60_000;
/** The bounds of a project's work, and of that of all projects. A wait ends with the time of its request. */
const WAITING = { each: 100, all: 1_000 };
/** Each holds a connection. The embedded database runs only one at a time anyway. */
const OF_DATABASES = {
  limitMs: LIMIT_MS,
  bounds: { running: { each: 2, all: 4 }, waiting: WAITING },
  advice: "Ask for less, or try again when the database has less to do.",
};
/** Each holds a connection to an endpoint for as long as a model thinks. */
const OF_MODELS = {
  limitMs: MODEL_LIMIT_MS,
  bounds: { running: { each: 4, all: 32 }, waiting: WAITING },
  advice: "Use a faster model, or try again.",
};

/** Provides the analyses of a request. They end with the request. */
export type Analyses = { of(response: Response, projectID: string): Pick<AnalysisEnv, "analyse" | "limited"> };

/** The analyses of operations: those that ask a model wait for a model, and all others for a database. */
export type OperationAnalyses = { of(operation: Pick<OperationDescription, "asks">): Analyses };

export function createOperationAnalyses(database: Pick<Database, "analyse">): OperationAnalyses {
  const databases = createAnalyses(database);
  const models = createAnalyses(database, OF_MODELS);
  return { of: ({ asks }) => (asks === "model" ? models : databases) };
}

/** @param limits.limitMs the most time that the analyses of one request take, waiting for those of others included */
export function createAnalyses({ analyse }: Pick<Database, "analyse">, limits: Partial<typeof OF_DATABASES> = {}): Analyses {
  const { limitMs, bounds, advice } = { ...OF_DATABASES, ...limits };
  const tooLate = (cause?: unknown) => timeIsOver(limitMs, advice, cause);
  const turns = createFairLimit(bounds, tooLate);

  return {
    of(response, projectID) {
      const gone = new AbortController();
      let limit: Deadline | undefined;
      const leave = () => {
        gone.abort();
        limit?.release();
      };
      response.once("close", leave);
      // If the caller left before, "close" was already emitted.
      if (response.destroyed) leave();
      let startTime = 0;
      const limited: Limited = async (work) => {
        if (!limit) {
          startTime = performance.now();
          limit = deadline(limitMs, gone.signal);
        }
        const { signal } = limit;
        if (signal.aborted) throw tooLate();
        const remaining = () => Math.max(1, Math.round(limitMs - (performance.now() - startTime)));
        return turns
          .run(projectID, () => work({ timeoutMs: remaining(), signal }), signal)
          .catch((error: unknown) => {
            throw isTimeout(error) || signal.aborted ? tooLate(error) : error;
          });
      };
      return {
        limited,
        analyse: <Row>({ text, parameters }: Statement) => {
          const values = parameters.map(({ value }) => value);
          return limited((options) => analyse<Row>(text, values, options));
        },
      };
    },
  };
}

function timeIsOver(limitMs: number, advice: string, cause: unknown): AppError {
  return new AppError("unavailable", `It took longer than ${limitMs / 1_000} s. ${advice}`, undefined, { cause, retryAfterS: 30 });
}

const refuse = async () => {
  throw new Error("Only an operation that says x-analyses may run an analysis.");
};

/** For operations in transactions, which hold the only connection of the embedded database. */
export const NO_ANALYSES: ReturnType<Analyses["of"]> = { analyse: refuse, limited: refuse };
