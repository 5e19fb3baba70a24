import { offerAdministration } from "./accounts/first-administrator.ts";
import { createProvider } from "./accounts/provider.ts";
import { createApp } from "./app.ts";
import { createKeyCheck, isActiveKey } from "./authentication/key-check.ts";
import { isUnavailable } from "./authentication/lookups.ts";
import { noteForeignUse } from "./authentication/note-foreign-use.ts";
import { openEvents } from "./clickhouse/open-events.ts";
import { createLog } from "./common/log.ts";
import { withEmails } from "./email/emails.ts";
import { startEvaluation } from "./evaluation/evaluation-services.ts";
import type { Phase } from "./http/common/operation-endpoints.ts";
import { operationRoutes } from "./http/common/operation-routes.ts";
import { allJobs } from "./jobs/all-jobs.ts";
import { compareClocks } from "./jobs/compare-clocks.ts";
import { type RunningJobs, startJobs } from "./jobs/jobs.ts";
import { createQueueCounts } from "./jobs/queue-counts.ts";
import { createResultDrift } from "./jobs/result-drift.ts";
import { scheduledChanges } from "./jobs/scheduled-changes.ts";
import { withModels } from "./models/models.ts";
import { createSchemaChecker } from "./schema-checks/schema-checker.ts";
import { bootstrap } from "./startup/bootstrap.ts";
import { readConfig, toSessionLimits } from "./startup/config.ts";
import { boundHeapGrowth } from "./startup/heap.ts";
import { openLogOutput, sendingTo } from "./startup/log-output.ts";
import { openDatabase } from "./startup/open-database.ts";
import { explain } from "./startup/operator-error.ts";
import { proxyWarning } from "./startup/proxies.ts";
import { serve } from "./startup/serve.ts";
import { showWelcome } from "./startup/show-welcome.ts";
import { answerArguments } from "./startup/usage.ts";
import { createRepeatedEvents } from "./store/change-log/repeated-events.ts";
import { createClock } from "./store/database/clock.ts";
import { withTracing } from "./store/database/with-tracing.ts";
import { withWarehouses } from "./warehouse/warehouses.ts";
import { withWebhooks } from "./webhooks/webhooks.ts";

/** Requests in flight may take this long after a stop signal. */
const DRAIN_TIMEOUT_MS = 10_000;
/** After this time from a stop signal, the process exits, even with unfinished work. */
const STOP_TIMEOUT_MS = 20_000;

async function main(): Promise<void> {
  boundHeapGrowth();
  const config = readConfig();
  const output = openLogOutput(config);
  // Nothing of OpenTelemetry is loaded by a server that sends nothing.
  const telemetry =
    config.telemetry &&
    (await import("./telemetry/telemetry.ts")).startTelemetry(config.telemetry, {
      routes: operationRoutes(),
      // The SDK reports settings that it ignores before there is a log.
      report: (message) => queueMicrotask(() => log.warn({ cause: message }, "OpenTelemetry ignores a setting, or could not send data.")),
    });
  const tracing = telemetry?.tracing;
  const log = createLog(config.logLevel, sendingTo(output.stream, telemetry?.sendLine), config.scim?.tokens, tracing);
  let phase: Phase = "starting";
  const opened = await openDatabase(config, {
    onWait: (reason) => process.stderr.write(`Waiting for the database, up to 30 s: ${reason}.\n`),
    onUnsigned: (warning) => process.stderr.write(`${warning}\n`),
    onReport: (message) => log.warn(message),
    onPooler: (meaning) => process.stderr.write(`The database is behind a transaction pooler. ${meaning}\n`),
  });
  const withEvents = await openEvents(opened, config.eventsUrl, {
    onWait: (reason) => process.stderr.write(`Waiting for ClickHouse, up to 30 s: ${reason}.\n`),
  });
  const { secretKey, previousSecretKey } = config;
  const withHosts = withWebhooks(withWarehouses(withEvents, { hosts: config.warehouseHosts, secretKey, previousSecretKey }), {
    hosts: config.webhookHosts,
    ...{ secretKey, publicUrl: config.publicUrl, tracing },
  });
  const withAll = withModels(withHosts, { hosts: config.modelHosts, secretKey, previousSecretKey });
  const untraced = withEmails(withAll, config, () => ({ log, instruments: evaluation.instruments }));
  const database = tracing ? withTracing(untraced, tracing) : untraced;
  const clock = createClock(database, log);
  await clock.compare();
  const { now } = clock;
  const evaluation = startEvaluation({
    ...{ database, log, now },
    streams: { limit: config.maxStreams, limitPerKey: config.maxStreamsPerKey },
    keepsUserFields: config.eventUserFields,
  });
  telemetry?.sendMetrics(evaluation.instruments.registry);
  const repeatedEvents = createRepeatedEvents(database);
  const keyCheck = createKeyCheck(database, now, noteForeignUse({ repeatedEvents, now, log }));
  const schemaChecker = createSchemaChecker();
  const drift = createResultDrift();
  const queues = createQueueCounts();
  let jobs: RunningJobs | undefined;
  const { corsOrigins, trustedProxies, publicUrl } = config;
  const sessionLimits = toSessionLimits(config);
  const app = createApp({
    ...{ database, evaluation, schemaChecker, log, keyCheck, repeatedEvents, corsOrigins, trustedProxies, publicUrl, phase: () => phase },
    ...{ now, clock, drift, tracing },
    jobDelays: () => jobs?.delays() ?? [],
    queues: queues.latest,
    writeLimit: config.writeLimit === "off" ? undefined : { writes: config.writeLimit },
    requestLimits: { evaluation: config.evaluationLimit, events: config.eventLimit },
    cdnMaxAge: config.cdnMaxAge,
    consoleAddresses: config.consoleAddresses,
    securityContact: { contacts: config.securityContacts, policy: config.securityPolicy },
    sessionLimits,
    passwordSignIn: config.passwordSignIn,
    scim: config.scim,
    requiresSecondFactor: config.requiresSecondFactor,
    ...{ secretKey, previousSecretKey },
    provider: config.oidc && createProvider(config.oidc, `${publicUrl}/console/v1/session/oidc/callback`),
  });
  const server = await serve(app, config).catch(async (error) => {
    await evaluation.close();
    await database.close();
    throw error;
  });
  // After the port is bound: a start that fails to bind it would lose the first key. The server is not ready before this.
  const newKey = await bootstrap(database, config.consoleKey, now());
  keyCheck.forgetRefused();
  const givenKey =
    config.consoleKey === undefined ? "absent" : (await isActiveKey(database, config.consoleKey, now())) ? "opens" : "unknown";
  const adminToken = await offerAdministration(database, config, now()).catch((err: unknown) => {
    if (!isUnavailable(err)) throw err;
    log.warn({ err }, "The link for the first administrator cannot be created.");
    return undefined;
  });
  await app.prepareRulesets();
  phase = "serving";
  const warning = proxyWarning(config);
  if (warning !== undefined) log.warn(warning);

  app.prepareOperations().catch(fail);
  jobs = startJobs(
    [
      ...allJobs({ ...config, sessionLimits, checkSchema: schemaChecker.check }),
      scheduledChanges(app.executor, app.provisioning),
      compareClocks(clock),
      drift.job,
      queues.job,
    ],
    { database, log, now, instruments: evaluation.instruments, tracing },
  );

  const exit = async (code: number) => {
    await output.end();
    process.exit(code);
  };
  const stop = async (signal: string) => {
    if (phase === "stopping") return;
    phase = "stopping";
    setTimeout(() => exit(1), config.stopDelayMs + STOP_TIMEOUT_MS);
    log.info({ signal }, "Finishing the requests in flight.");
    await server.retire(config.stopDelayMs);
    evaluation.flagStreams.close();
    app.endStreams();
    await Promise.all([server.drain(DRAIN_TIMEOUT_MS), jobs?.stop()]);
    await repeatedEvents.flush().catch((err: unknown) => log.warn({ err }, "Events of the audit log that repeat others were not counted."));
    await Promise.all([evaluation.close(), schemaChecker.close()]);
    await database.close();
    log.info("Stopped.");
    await telemetry?.close();
    await exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
  showWelcome({ url: server.url, publicUrl, newKey, givenKey, adminToken }, config);
}

function fail(error: unknown): never {
  process.stderr.write(explain(error));
  process.exit(1);
}

const answer = answerArguments(process.argv.slice(2));
if (answer === undefined) main().catch(fail);
else {
  (answer.code === 0 ? process.stdout : process.stderr).write(answer.text);
  process.exitCode = answer.code;
}
