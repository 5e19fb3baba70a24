import type { Response } from "express";
import { AppError } from "../../common/errors.ts";
import { type Deadline, deadline } from "../../common/signals.ts";
import type { AnalysisEnv, Limited } from "../../console/stores.ts";
import type { Statement } from "../../results/sql/statement.ts";
import type { Database } from "../../store/database/database.ts";
import { isTimeout } from "../../store/database/database-errors.ts";

const LIMIT_MS = 10_000;
/** The most analyses of requests at once: each holds a connection. Those of the embedded database wait for each other anyway. */
const MAX_AT_ONCE = 2;

/** Gives a request what runs its analyses. They end with the request. */
export type Analyses = { of(response: Response): Pick<AnalysisEnv, "analyse" | "limited"> };

/** @param limitMs the most time that the analyses of one request take, waiting for those of others included */
export function createAnalyses({ analyse }: Pick<Database, "analyse">, limitMs = LIMIT_MS): Analyses {
  let running = 0;
  const waiting: (() => void)[] = [];
  const next = () => waiting.shift()?.();

  const tooLate = (cause?: unknown) => timeIsOver(limitMs, cause);

  /** @throws AppError unavailable if the time is over before others have ended */
  async function begin(signal: AbortSignal): Promise<void> {
    if (running >= MAX_AT_ONCE) {
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(resume), 1);
          reject(tooLate());
        };
        const resume = () => {
          signal.removeEventListener("abort", leave);
          resolve();
        };
        signal.addEventListener("abort", leave, { once: true });
        waiting.push(resume);
      });
    }
    running += 1;
  }

  return {
    of(response) {
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
        await begin(signal);
        try {
          const timeoutMs = Math.max(1, Math.round(limitMs - (performance.now() - startTime)));
          return await work({ timeoutMs, signal });
        } catch (error) {
          throw isTimeout(error) || signal.aborted ? tooLate(error) : error;
        } finally {
          running -= 1;
          next();
        }
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

function timeIsOver(limitMs: number, cause: unknown): AppError {
  return new AppError(
    "unavailable",
    `It took longer than ${limitMs / 1_000} s. Ask for less, or try again when the database has less to do.`,
    undefined,
    {
      cause,
      retryAfterS: 30,
    },
  );
}

const refuse = async () => {
  throw new Error("Only an operation that says x-analyses may run an analysis.");
};

/** Of operations in transactions, which hold the only connection of the embedded database. */
export const NO_ANALYSES: ReturnType<Analyses["of"]> = { analyse: refuse, limited: refuse };
