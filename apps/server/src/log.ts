import { type DestinationStream, type Logger, pino } from "pino";
import { redactKeys } from "./redact-keys.ts";

/** A log that never shows a key, in whatever field and spelling one stands. */
export function createLog(level: string, stream: DestinationStream): Logger {
  return pino({ level, hooks: { streamWrite: redactKeys } }, stream);
}
