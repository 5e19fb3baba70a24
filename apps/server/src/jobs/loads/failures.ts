import { isConnectionLoss, isTimeout } from "../../store/database/database-errors.ts";
import { explainFailure, NotComputable } from "../../warehouse/source-tables.ts";
import { WarehouseFailure } from "../../warehouse/warehouse.ts";
import { Left, type LoadRun } from "./load-run.ts";

/** Why a metric has no result. */
export type Failure = { state: "timeout" | "failure"; reason: string };

/** @throws the error, or Left, if it ends the load instead of failing a metric */
export function toFailure(error: unknown, { signal, timeoutMs }: Pick<LoadRun, "signal" | "timeoutMs">): Failure {
  if (signal.aborted) throw new Left();
  if (error instanceof Left || (!(error instanceof WarehouseFailure) && isConnectionLoss(error))) throw error;
  if (error instanceof NotComputable) return { state: "failure", reason: explainFailure(error) };
  if (error instanceof WarehouseFailure) return { state: error.kind === "late" ? "timeout" : "failure", reason: explainFailure(error) };
  if (isTimeout(error)) return { state: "timeout", reason: `It took longer than ${timeoutMs / 1_000} s.` };
  return { state: "failure", reason: `The database refused it: ${(error as Error).message}.` };
}

/** Does work that no metric depends on. A failure is logged. */
export async function withoutHarm({ env, load, signal }: LoadRun, whenFailed: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (err) {
    if (signal.aborted) throw new Left();
    if (isConnectionLoss(err)) throw err;
    env.log.warn({ err, projectID: load.projectID, load: load.id }, whenFailed);
  }
}
