import { afterAll, afterEach } from "vitest";
import { takeAnsweredStatuses, takeCauses } from "./server-log.ts";

/** A fault can log one error per operation. The first ones are enough. */
const MAX_SHOWN = 5;

// A 500 response hides its cause, so a failed test prints the errors that the servers logged.
afterEach(({ task }) => {
  const causes = takeCauses();
  if (task.result?.state !== "fail" || causes.length === 0) return;
  const omitted = causes.length > MAX_SHOWN ? `\n… and ${causes.length - MAX_SHOWN} more errors.` : "";
  process.stderr.write(`\n${task.name}: the server logged\n${causes.slice(0, MAX_SHOWN).join("\n")}${omitted}\n`);
});

// Reports the statuses of this file's servers to the reporter.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the first argument which fixtures a hook takes
afterAll(({}, { file }) => {
  file.meta.answered = takeAnsweredStatuses();
});
