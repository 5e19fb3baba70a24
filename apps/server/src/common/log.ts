import { type DestinationStream, type Logger, pino } from "pino";
import { redactKeys } from "./redact-keys.ts";

/**
 * Creates a log that redacts keys in every field, even if percent-encoded.
 * @param secrets of the operator, which have no fixed form and are redacted wherever they occur
 */
export function createLog(level: string, stream: DestinationStream, secrets: readonly string[] = []): Logger {
  const hideSecrets = (line: string) => secrets.reduce((text, secret) => text.replaceAll(secret, "…"), line);
  return pino({ level, hooks: { streamWrite: (line) => redactKeys(hideSecrets(line)) } }, stream);
}
