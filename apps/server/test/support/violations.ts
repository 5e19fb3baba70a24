import { AppError, type Violation } from "../../src/common/errors.ts";

/** The violations in the error of a call. */
export function catchViolations(work: () => unknown): Violation[] | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error.violations;
    throw error;
  }
  throw new Error("The call was expected to be refused and was answered.");
}
