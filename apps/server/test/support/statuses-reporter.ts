import type { OperationDescription } from "@gatehouse/contract";
import { descriptions as consoleDescriptions } from "@gatehouse/contract/console";
import { descriptions as evaluationDescriptions } from "@gatehouse/contract/evaluation";
import type { Reporter, TestModule, TestRunEndReason, Vitest } from "vitest/node";
import { readsFirst } from "./operations.ts";

declare module "vitest" {
  interface TaskMeta {
    /** What the servers of a test file answered: `getGate 404`. */
    answered?: string[];
  }
}

/**
 * Fails a complete run in which an operation never answered a status that the contract declares for it. A run of some files or some tests
 * says nothing about that.
 */
export class StatusesReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[], _errors: readonly unknown[], reason: TestRunEndReason): Promise<void> {
    const vitest = this.#vitest;
    if (!vitest || reason !== "passed" || vitest.config.testNamePattern) return;
    const files = new Set((await vitest.globTestSpecifications()).map(({ moduleId }) => moduleId));
    for (const { moduleId } of modules) files.delete(moduleId);
    if (files.size > 0) return;
    const never = neverAnswered(new Set(modules.flatMap((module) => module.meta().answered ?? [])));
    if (never.length === 0) return;
    vitest.logger.error(`\nThe contract declares these statuses, and no test provoked them:\n  ${never.join("\n  ")}\n`);
    process.exitCode = 1;
  }
}

/** What is declared and not among what was answered. */
function neverAnswered(answered: Set<string>): string[] {
  const all: OperationDescription[] = [...Object.values(consoleDescriptions), ...Object.values(evaluationDescriptions)];
  return all.flatMap((operation) =>
    operation.statuses
      .filter((status) => !answered.has(`${operation.operationId} ${status}`) && isProvocable(operation, status))
      .map((status) => `${operation.operationId} ${status}`),
  );
}

/** The embedded database has one connection, so no other write comes between the read and the write of a request. */
function isProvocable(operation: OperationDescription, status: number): boolean {
  return process.env.TEST_DATABASE_URL !== undefined || !(status === 409 && readsFirst(operation));
}
