import { expect } from "vitest";
import type { SweptOperation } from "./operations.ts";

/** A behavior that operations share, checked on one of them. */
export type Check<Subject> = {
  /** Begins with the status, if the behavior is one. */
  title: string;
  applies(operation: SweptOperation): boolean;
  run(subject: Subject): Promise<void>;
};

/** Runs each check that applies to the subject's operation. Every failure is reported, with the operation and the check in its message. */
export async function checkAll<Subject extends { operation: SweptOperation }>(subject: Subject, checks: Check<Subject>[]): Promise<void> {
  const { operation } = subject;
  const failures: Error[] = [];
  for (const { title, run } of checks.filter(({ applies }) => applies(operation))) {
    const before = expect.getState().assertionCalls;
    try {
      await run(subject);
      if (expect.getState().assertionCalls === before) throw new Error("The check expects nothing.");
    } catch (error) {
      failures.push(named(`${operation.operationId}: ${title}`, error));
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join("\n"));
}

/** The error with its check in front of its message. It keeps the parts that vitest prints: its place and the difference. */
function named(check: string, error: unknown): Error {
  const thrown = error instanceof Error ? error : new Error(String(error));
  thrown.message = `${check}\n${thrown.message}`;
  return thrown;
}
