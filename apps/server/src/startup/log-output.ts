import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type DestinationStream, destination } from "pino";

/** Maximum size of the lines that wait for the reader of standard output. Further lines are dropped. */
const MAX_WAITING_BYTES = 2 ** 23;
/** At the end of the process, lines are dropped that the reader does not take within this time. */
const FLUSH_TIMEOUT_MS = 1_000;

export type LogOutput = {
  stream: DestinationStream;
  /** Writes the waiting lines; none can follow. Call it before the process exits, which could otherwise wait for the reader forever. */
  end(): Promise<void>;
};

/**
 * Standard output for the log. The server goes on if the reader of its output is gone or reads nothing, or if the output is a file on a full
 * disk: lines are lost then.
 */
export function openLogOutput(): LogOutput {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  // Lines are buffered for up to 250 ms. A write for each line would take a tenth of a small request's time.
  const stream = destination({ sync: false, minLength: 8192, periodicFlush: 250, maxLength: MAX_WAITING_BYTES });
  stream.on("error", () => {});
  return {
    stream,
    async end() {
      stream.end();
      await Promise.race([once(stream, "close").catch(() => {}), sleep(FLUSH_TIMEOUT_MS)]);
      stream.destroy();
    },
  };
}
