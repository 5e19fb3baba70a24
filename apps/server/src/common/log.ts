import { type DestinationStream, type Logger, pino } from "pino";
import { redactKeys } from "./redact-keys.ts";
import type { Tracing } from "./tracing.ts";

/**
 * Creates a log that redacts keys in every field, even if percent-encoded.
 * @param secrets of the operator, which have no fixed form and are redacted wherever they occur
 * @param tracing adds ids of the current span
 */
export function createLog(
  level: string,
  stream: DestinationStream,
  secrets: readonly string[] = [],
  tracing?: Pick<Tracing, "ids">,
): Logger {
  const hideSecrets = (line: string) => secrets.reduce((text, secret) => text.replaceAll(secret, "…"), line);
  const traced = tracing && {
    mixin: () => tracing.ids() ?? {},
    // The span's ids replace the trace that the caller sent.
    mixinMergeStrategy: (fields: object, ids: object) => ({ ...fields, ...ids }),
  };
  return pino({ level, hooks: { streamWrite: (line) => redactKeys(hideSecrets(line)) }, ...traced }, stream);
}
