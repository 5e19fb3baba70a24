import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type DestinationStream, destination } from "pino";
import type { LogConfig } from "./log-config.ts";
import { toLogText } from "./log-text.ts";

/** Lines are written together, once they have this many characters, or after an interval. A write for each line would take longer than most requests. */
const BLOCK_LENGTH = 2 ** 16;
const BLOCK_INTERVAL_MS = 250;
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
 * Standard output for the log. The server continues if the reader of its output is gone or stops reading, or if the output is a file on a
 * full disk: lines are lost then.
 */
export function openLogOutput({ logFormat }: Pick<LogConfig, "logFormat">): LogOutput {
  const { isTTY: isTerminal = false } = process.stdout;
  const isText = logFormat === "text" || (logFormat === "auto" && isTerminal);
  // A terminal has no colors if NO_COLOR is set.
  const hasColors = isTerminal && process.stdout.hasColors();
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const lines = joinLines((block) => blocks.write(block));
  // Registered before pino's listener, which writes the destination's remaining lines.
  process.once("exit", lines.flush);
  const blocks = destination({ sync: false, maxLength: MAX_WAITING_BYTES, maxWrite: BLOCK_LENGTH });
  blocks.on("error", () => {});
  let hasEnded = false;
  return {
    stream: { write: (line) => void (hasEnded || lines.write(isText ? toLogText(line, { hasColors }) : line)) },
    async end() {
      hasEnded = true;
      lines.flush();
      blocks.end();
      await Promise.race([once(blocks, "close").catch(() => {}), sleep(FLUSH_TIMEOUT_MS)]);
      blocks.destroy();
    },
  };
}

/** The same stream, whose lines are also sent elsewhere. */
export function sendingTo(stream: DestinationStream, sendLine: ((line: string) => void) | undefined): DestinationStream {
  if (sendLine === undefined) return stream;
  return {
    write(line) {
      stream.write(line);
      sendLine(line);
    },
  };
}

/** Joins lines to blocks. pino's own buffer is a string that it copies with each line. */
function joinLines(write: (block: string) => void) {
  let lines: string[] = [];
  let length = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (lines.length === 0) return;
    const block = lines.join("");
    lines = [];
    length = 0;
    write(block);
  };
  return {
    flush,
    write(line: string) {
      lines.push(line);
      length += line.length;
      if (length >= BLOCK_LENGTH) flush();
      else timer ??= setTimeout(flush, BLOCK_INTERVAL_MS).unref();
    },
  };
}
