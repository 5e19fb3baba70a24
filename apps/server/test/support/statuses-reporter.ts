import type { OperationDescription } from "@gatehouse/contract";
import { descriptions as consoleDescriptions } from "@gatehouse/contract/console";
import { descriptions as evaluationDescriptions } from "@gatehouse/contract/evaluation";
import { descriptions as scimDescriptions } from "@gatehouse/contract/scim";
import type { Reporter, TestModule, TestRunEndReason, Vitest } from "vitest/node";

declare module "vitest" {
  interface TaskMeta {
    /** The statuses that a test file's servers returned, such as `getGate 404`. */
    answered?: string[];
  }
}

/**
 * Fails a complete run of the server's tests on Postgres if an operation never returned a status that the contract declares. Ignores runs of some files or
 * tests, and runs on the embedded database: it has one connection, so that some races cannot happen.
 */
export class StatusesReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[], _errors: readonly unknown[], reason: TestRunEndReason): Promise<void> {
    const vitest = this.#vitest;
    if (!vitest || reason !== "passed" || vitest.config.testNamePattern || process.env.TEST_DATABASE_URL === undefined) return;
    if (!modules.some(({ project }) => project.name === "server")) return;
    const files = new Set((await vitest.globTestSpecifications()).map(({ moduleId }) => moduleId));
    for (const { moduleId } of modules) files.delete(moduleId);
    if (files.size > 0) return;
    const never = neverAnswered(new Set(modules.flatMap((module) => module.meta().answered ?? [])));
    if (never.length === 0) return;
    vitest.logger.error(
      `\nThe contract declares these statuses, and no test provoked them:\n${never.map((one) => `FAIL  ${one}\n`).join("")}`,
    );
    process.exitCode = 1;
  }
}

/** The declared statuses that no response had. */
function neverAnswered(answered: Set<string>): string[] {
  const all: OperationDescription[] = [
    ...Object.values(consoleDescriptions),
    ...Object.values(evaluationDescriptions),
    ...Object.values(scimDescriptions),
  ];
  return all.flatMap((operation) =>
    operation.statuses
      .filter((status) => !answered.has(`${operation.operationId} ${status}`))
      .map((status) => `${operation.operationId} ${status}`),
  );
}
