import { createRequire } from "node:module";
import { START_COMMAND } from "../common/commands.ts";
import { createLog } from "../common/log.ts";
import { boundHeapGrowth } from "../startup/heap.ts";
import { openLogOutput } from "../startup/log-output.ts";
import { explain } from "../startup/operator-error.ts";
import { readRelayConfig } from "../startup/relay-config.ts";
import { serve } from "../startup/serve.ts";
import { startRelay } from "./relay.ts";

/** Requests in flight may take this long after a stop signal. */
const DRAIN_TIMEOUT_MS = 10_000;
/** After this time from a stop signal, the process exits, even with unfinished work. */
const STOP_TIMEOUT_MS = 20_000;

const USAGE = `Usage: ${START_COMMAND} relay

Starts a relay: it serves flags to applications from memory, and forwards their events to a server. Its settings are environment variables.
  GATEHOUSE_RELAY_ORIGIN   the URL of the server
  GATEHOUSE_RELAY_KEY      a server key of the project, which begins with secret-
  GATEHOUSE_RELAY_DATA     a folder for flags and waiting events; without it, a restart loses them
  HOST, PORT               where the relay listens; 127.0.0.1 and 4000 if they are not set
`;

async function main(): Promise<void> {
  boundHeapGrowth();
  const config = readRelayConfig();
  const output = openLogOutput(config);
  const log = createLog(config.logLevel, output.stream);
  const { version } = createRequire(import.meta.url)("#package.json") as { version: string };
  const relay = await startRelay({
    ...config,
    ...{ version, log },
    maxQueuedCharacters: config.queueMegabytes * 2 ** 20,
    streams: { limit: config.maxStreams, limitPerKey: config.maxStreamsPerKey },
    requestLimits: { evaluation: config.evaluationLimit, events: config.eventLimit },
  });
  const server = await serve(relay.serve, config);
  let isStopping = false;
  const stop = async (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), config.stopDelayMs + STOP_TIMEOUT_MS);
    log.info({ signal }, "Finishing the requests in flight.");
    relay.refuseReadiness();
    await server.retire(config.stopDelayMs);
    relay.stop();
    await server.drain(DRAIN_TIMEOUT_MS);
    await relay.close().catch((err: unknown) => log.error({ err }, "The relay could not keep everything that waits."));
    log.info("Stopped.");
    await output.end();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
  process.stdout.write(`The relay listens at ${server.url}. Its origin is ${config.origin}.\n`);
}

const [argument] = process.argv.slice(3);
if (argument === undefined) {
  main().catch((error: unknown) => {
    process.stderr.write(explain(error));
    process.exit(1);
  });
} else {
  const isHelp = ["--help", "-h"].includes(argument);
  (isHelp ? process.stdout : process.stderr).write(isHelp ? USAGE : `Unknown argument: ${argument}.\n\n${USAGE}`);
  process.exitCode = isHelp ? 0 : 2;
}
