import { type Context, ROOT_CONTEXT, TraceFlags, trace } from "@opentelemetry/api";
import { type AnyValueMap, type Logger, SeverityNumber } from "@opentelemetry/api-logs";

const SEVERITIES: Record<number, { severityNumber: SeverityNumber; severityText: string }> = {
  10: { severityNumber: SeverityNumber.TRACE, severityText: "TRACE" },
  20: { severityNumber: SeverityNumber.DEBUG, severityText: "DEBUG" },
  30: { severityNumber: SeverityNumber.INFO, severityText: "INFO" },
  40: { severityNumber: SeverityNumber.WARN, severityText: "WARN" },
  50: { severityNumber: SeverityNumber.ERROR, severityText: "ERROR" },
  60: { severityNumber: SeverityNumber.FATAL, severityText: "FATAL" },
};

type Line = { level: number; time: number; msg?: string; trace_id?: string; span_id?: string; err?: LoggedError; [field: string]: unknown };
type LoggedError = { type?: string; message?: string; stack?: string };

/**
 * Sends lines of the log as log records. Lines are redacted before.
 * @returns a function that takes a line as pino writes it
 */
export function createLogSender(logger: Logger): (line: string) => void {
  return (line) => {
    const { level, time, msg, trace_id, span_id, err, pid: _pid, hostname: _hostname, ...fields } = JSON.parse(line) as Line;
    logger.emit({
      ...SEVERITIES[level],
      timestamp: time,
      ...(msg !== undefined && { body: msg }),
      attributes: { ...(fields as AnyValueMap), ...(err && exceptionAttributes(err)) },
      context: contextOf(trace_id, span_id),
    });
  };
}

function exceptionAttributes({ type, message, stack }: LoggedError): AnyValueMap {
  return {
    ...(type !== undefined && { "exception.type": type }),
    ...(message !== undefined && { "exception.message": message }),
    ...(stack !== undefined && { "exception.stacktrace": stack }),
  };
}

function contextOf(traceId: string | undefined, spanId: string | undefined): Context {
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED });
}
