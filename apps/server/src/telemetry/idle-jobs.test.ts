import { type Context, ROOT_CONTEXT, SpanStatusCode, trace } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { beforeEach, expect, test } from "vitest";
import { JOB_NAME, withoutIdleJobs } from "./idle-jobs.ts";

const exporter = new InMemorySpanExporter();
const tracer = new BasicTracerProvider({ spanProcessors: [withoutIdleJobs(new SimpleSpanProcessor(exporter))] }).getTracer("test");
beforeEach(() => exporter.reset());

const exported = () => exporter.getFinishedSpans().map(({ name }) => name);
const statement = (name: string, context: Context) => tracer.startSpan(name, {}, context).end();
function run(statements: string[], { fails = false } = {}) {
  const span = tracer.startSpan("job", { attributes: { [JOB_NAME]: "looks" } }, ROOT_CONTEXT);
  for (const name of statements) statement(name, trace.setSpan(ROOT_CONTEXT, span));
  if (fails) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

test("a run with at most two statements is dropped", () => {
  run([]);
  run(["looks for work"]);
  run(["looks for work", "looks for other work"]);
  expect(exported()).toEqual([]);
});

test("a run with more statements is kept whole", () => {
  run(["finds work", "does it", "notes it"]);
  expect(exported()).toEqual(["finds work", "does it", "notes it", "job"]);
});

test("a run that failed is kept", () => {
  run(["finds no database"], { fails: true });
  expect(exported()).toEqual(["finds no database", "job"]);
});

test("spans of other traces are kept", () => {
  const span = tracer.startSpan("GET", {}, ROOT_CONTEXT);
  statement("SELECT gate", trace.setSpan(ROOT_CONTEXT, span));
  span.end();
  expect(exported()).toEqual(["SELECT gate", "GET"]);
});
