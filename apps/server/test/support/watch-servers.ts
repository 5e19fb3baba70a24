import { afterAll, afterEach } from "vitest";
import { takeAnsweredStatuses, takeCauses } from "./server-log.ts";

/** The log of a fault can be as long as a sweep: the first causes tell what is wrong. */
const MAX_SHOWN = 5;

// An answer of 500 says nothing of its cause, so a test that fails prints what the servers logged.
afterEach(({ task }) => {
  const causes = takeCauses();
  if (task.result?.state !== "fail" || causes.length === 0) return;
  const omitted = causes.length > MAX_SHOWN ? `\n… and ${causes.length - MAX_SHOWN} more errors.` : "";
  process.stderr.write(`\n${task.name}: the server logged\n${causes.slice(0, MAX_SHOWN).join("\n")}${omitted}\n`);
});

// Every file tells the reporter what its servers answered.
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the first argument which fixtures a hook takes
afterAll(({}, { file }) => {
  file.meta.answered = takeAnsweredStatuses();
});
