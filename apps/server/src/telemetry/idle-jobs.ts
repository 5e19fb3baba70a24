import { type Context, SpanStatusCode } from "@opentelemetry/api";
import type { ReadableSpan, Span, SpanProcessor } from "@opentelemetry/sdk-trace-base";

/** The attribute of the span of a job's run. */
export const JOB_NAME = "gatehouse.job.name";

/** Jobs look for work with at most this many statements, as often as every second. */
const MAX_STATEMENTS = 2;

/** Drops the spans of runs that found no work. A run with more statements, or one that failed, is kept. */
export function withoutIdleJobs(next: SpanProcessor): SpanProcessor {
  /** Runs without a kept span, with the statements that they sent, by trace. */
  const idle = new Map<string, ReadableSpan[]>();
  return {
    onStart(span: Span, parent: Context) {
      if (isRun(span)) idle.set(span.spanContext().traceId, []);
      next.onStart(span, parent);
    },
    onEnd(span) {
      const { traceId } = span.spanContext();
      const earlier = idle.get(traceId);
      if (earlier === undefined) return next.onEnd(span);
      const hasFailed = span.status.code === SpanStatusCode.ERROR;
      if (isRun(span)) {
        idle.delete(traceId);
        if (!hasFailed) return;
      } else if (earlier.length < MAX_STATEMENTS && !hasFailed) {
        earlier.push(span);
        return;
      }
      idle.delete(traceId);
      for (const one of [...earlier, span]) next.onEnd(one);
    },
    forceFlush: () => next.forceFlush(),
    shutdown: () => next.shutdown(),
  };
}

const isRun = ({ attributes }: ReadableSpan) => attributes[JOB_NAME] !== undefined;
