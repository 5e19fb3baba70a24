import { inject } from "vitest";

/**
 * The seeds of a test over random worlds: all of them on the database. ClickHouse takes a minute to analyze the statements of each, so it gets the first one
 * unless TEST_SEEDS is `all`, as in the nightly run.
 */
export function seedsToRun(all: readonly number[]): readonly number[] {
  return inject("resultsEngine") === undefined || process.env.TEST_SEEDS === "all" ? all : all.slice(0, 1);
}
