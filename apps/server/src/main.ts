import { destination, pino } from "pino";
import { createApp } from "./app.ts";
import { isActiveKey } from "./authentication/key-check.ts";
import { bootstrap } from "./bootstrap.ts";
import { readConfig } from "./config.ts";
import { startEvaluation } from "./evaluation/evaluation-services.ts";
import { allJobs } from "./jobs/all-jobs.ts";
import { startJobs } from "./jobs/jobs.ts";
import { openDatabase } from "./open-database.ts";
import { explain } from "./operator-error.ts";
import { serve } from "./serve.ts";
import { welcome } from "./welcome.ts";

/** How long requests in flight may take after a signal to stop, ms. */
const DRAIN_TIME = 10_000;

async function main(): Promise<void> {
  const config = readConfig();
  // Lines are gathered for up to 250 ms and written together, also at the end: a write for each would cost a tenth of a small request.
  const log = pino({ level: config.logLevel }, destination({ sync: false, minLength: 8192, periodicFlush: 250 }));
  let isDraining = false;
  const database = await openDatabase(config, {
    onWait: (reason) => process.stderr.write(`Waiting for the database, up to 30 s: ${reason}.\n`),
  });
  const evaluation = startEvaluation({ database, log, now: Date.now });
  const app = createApp({ database, evaluation, log, corsOrigins: config.corsOrigins, isDraining: () => isDraining });
  const server = await serve(app, config).catch(async (error) => {
    await evaluation.close();
    await database.close();
    throw error;
  });
  // Only now: a first key that is made before the port is had would be lost with a start that fails.
  const newKey = await bootstrap(database, config.consoleKey);
  const givenKey = config.consoleKey === undefined ? "absent" : (await isActiveKey(database, config.consoleKey)) ? "opens" : "unknown";
  process.stdout.write(welcome({ url: server.url, newKey, givenKey }));

  const jobs = startJobs(allJobs(config), { database, log, now: Date.now });

  const stop = async (signal: string) => {
    if (isDraining) return;
    isDraining = true;
    log.info({ signal }, "Finishing the requests in flight.");
    evaluation.flagStreams.close();
    await Promise.all([server.drain(DRAIN_TIME), jobs.stop()]);
    await evaluation.close();
    await database.close();
    log.info("Stopped.");
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
}

main().catch((error: unknown) => {
  process.stderr.write(explain(error));
  process.exit(1);
});
