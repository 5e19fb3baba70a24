import { AppError } from "../../common/errors.ts";
import { NotComputable } from "../../warehouse/source-tables.ts";
import { WarehouseFailure } from "../../warehouse/warehouse.ts";

/** The answer of a read from a warehouse, or its failure. Other errors are thrown. @throws AppError unavailable if it took too long */
export async function readingWarehouse<T>(work: () => Promise<T>): Promise<{ value: T } | { failure: WarehouseFailure | NotComputable }> {
  try {
    return { value: await work() };
  } catch (failure) {
    if (failure instanceof NotComputable) return { failure };
    if (!(failure instanceof WarehouseFailure)) throw failure;
    if (failure.kind !== "late") return { failure };
    throw new AppError("unavailable", `The warehouse did not answer. ${failure.message}`, undefined, { cause: failure, retryAfterS: 30 });
  }
}
