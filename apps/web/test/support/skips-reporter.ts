import type { Reporter, TestCase } from "@playwright/test/reporter";

/** At its end a run lists its skips with their reasons in one line, as `scripts/skips-reporter.mjs` does for vitest. A skip without a reason fails it. */
export default class SkipsReporter implements Reporter {
  #skipped: TestCase[] = [];

  printsToStdio(): boolean {
    return false;
  }

  onTestEnd(test: TestCase): void {
    if (test.outcome() === "skipped" && test.annotations.some(({ type }) => type === "skip")) this.#skipped.push(test);
  }

  async onEnd(): Promise<{ status: "failed" } | undefined> {
    const reasons = this.#skipped.map((test) => test.annotations.find(({ type }) => type === "skip")?.description);
    const counts = new Map<string, number>();
    for (const reason of reasons) if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    const parts = [...counts].map(([need, count]) => `${count} ${count > 1 ? "tests that need" : "test that needs"} ${need}`);
    if (parts.length > 0) process.stdout.write(`Skipped: ${parts.join(", ")}.\n`);
    const unexplained = this.#skipped.filter((_, index) => reasons[index] === undefined).map((test) => test.titlePath().join(" › "));
    if (unexplained.length === 0) return undefined;
    process.stderr.write(`\nThese tests are skipped and do not say what they need:\n  ${unexplained.join("\n  ")}\n`);
    return { status: "failed" };
  }
}
