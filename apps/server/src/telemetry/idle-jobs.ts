import { type Context, SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace-base";

/** The attribute of the span of a job's run. */
export const JOB_NAME = "gatehouse.job.name";

/**
 * Drops the spans of runs that found no work. Jobs look for work as often as every second, mostly with one statement. A run with more
 * statements, or one that failed, is kept.
 */
export function withoutIdleJobs(next: SpanProcessor): SpanProcessor {
  /** Runs without a kept span, with the one statement that they sent, by trace. */
  const idle = new Map<string, ReadableSpan | undefined>();
  return {
    onStart(span: Span, parent: Context) {
      if (isRun(span)) idle.set(span.spanContext().traceId, undefined);
      next.onStart(span, parent);
    },
    onEnd(span) {
      const { traceId } = span.spanContext();
      if (!idle.has(traceId)) return next.onEnd(span);
      const first = idle.get(traceId);
      const hasFailed = span.status.code === SpanStatusCode.ERROR;
      if (isRun(span)) {
        idle.delete(traceId);
        if (!hasFailed) return;
      } else if (first === undefined && !hasFailed) {
        idle.set(traceId, span);
        return;
      }
      idle.delete(traceId);
      if (first) next.onEnd(first);
      next.onEnd(span);
    },
    forceFlush: () => next.forceFlush(),
    shutdown: () => next.shutdown(),
  };
}

const isRun = ({ attributes }: ReadableSpan) => attributes[JOB_NAME] !== undefined;
