import { type DestinationStream, type Logger, pino } from "pino";
import { redactKeys } from "./redact-keys.ts";

/** Creates a log that redacts keys in every field, also percent-encoded ones. */
export function createLog(level: string, stream: DestinationStream): Logger {
  return pino({ level, hooks: { streamWrite: redactKeys } }, stream);
}
