// A reporter for vitest: at its end a run lists its skips with their reasons in one line. A test states its requirement in its own
// or its suite's meta data: `test("…", { skip: !isThere, meta: { needs: "a Postgres server" } }, …)`. One that is skipped without it fails the run.

export class SkipsReporter {
  #vitest;
  #isPartial = false;

  onInit(vitest) {
    this.#vitest = vitest;
  }

  onTestRunStart(specifications) {
    // Of a file that is asked for by a line or a name, everything else is skipped.
    this.#isPartial = Boolean(this.#vitest.config.testNamePattern) || specifications.some(({ testLines }) => testLines?.length > 0);
  }

  onTestRunEnd(modules, _errors, reason) {
    // After a failure, tests are skipped since a hook failed.
    if (this.#isPartial || reason !== "passed") return;
    const skipped = modules.flatMap(({ children }) => [...children.allTests("skipped"), ...emptySuites(children)]);
    const counts = new Map();
    for (const need of skipped.map(findNeed)) counts.set(need, (counts.get(need) ?? 0) + 1);
    counts.delete(undefined);
    const parts = [...counts].map(
      ([need, count], index) => `${count} ${index > 0 ? "" : count > 1 ? "tests " : "test "}${verb(count)} ${need}`,
    );
    if (parts.length > 0) this.#vitest.logger.log(`Skipped: ${parts.join(", ")}.\n`);
    const unexplained = skipped.filter((task) => findNeed(task) === undefined);
    if (unexplained.length === 0) return;
    const names = unexplained.map(({ module, fullName }) => `${module.relativeModuleId}: ${fullName}`);
    this.#vitest.logger.error(`\nThese tests are skipped and do not say what they need:\n  ${names.join("\n  ")}\n`);
    process.exitCode = 1;
  }
}

const verb = (count) => (count > 1 ? "that need" : "that needs");

/** Skipped suites whose tests come from missing data. */
function emptySuites(children) {
  return [...children.allSuites()].filter((suite) => suite.children.size === 0 && suite.options.mode === "skip");
}

/** The requirement of a skipped test or suite. Undefined if neither it nor a suite around it states one. */
function findNeed(task) {
  return task.meta().needs ?? (task.type === "module" ? undefined : findNeed(task.parent));
}
