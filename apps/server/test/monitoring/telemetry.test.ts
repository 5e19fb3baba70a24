import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ReceivedSpan, read, startOtlpReceiver } from "../support/otlp-receiver.ts";
import { start, startReady } from "../support/process.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const KEY = "console-key-of-the-telemetry-test";
const SERVER_KIND = 2;
const CLIENT_KIND = 3;

/** Prints each module of OpenTelemetry that a server resolves. */
const HOOKS = `data:text/javascript,${encodeURIComponent(`
  export async function resolve(specifier, context, next) {
    const found = await next(specifier, context);
    if (/opentelemetry|telemetry\\/telemetry/.test(found.url)) process._rawDebug("LOADED " + found.url);
    return found;
  }`)}`;
const PRELOAD = `--import=data:text/javascript,${encodeURIComponent(`import { register } from "node:module"; register(${JSON.stringify(HOOKS)});`)}`;

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
});
afterEach(() => void receiver.received.splice(0));
afterAll(() => receiver.close());

const environment = { GATEHOUSE_DATA_DIR: "memory", GATEHOUSE_CONSOLE_KEY: KEY };

/** Starts a server, sends requests to it in the caller's trace, and stops it, so that everything is sent. */
async function serve(
  env: Record<string, string>,
  work: (send: (method: string, path: string, body?: object) => Promise<Response>) => unknown,
) {
  const server = await startReady({ ...environment, ...env });
  const headers = { "X-API-Key": KEY, "SERVICE-API-KEY": KEY, traceparent: `00-${TRACE}-${PARENT}-01`, "Content-Type": "application/json" };
  await work((method, path, body) => fetch(`${server.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }));
  return server.stop();
}

describe("a server with an OTLP endpoint", () => {
  let spans: ReceivedSpan[];
  let ended: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    const settings = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer collector",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
      OTEL_SERVICE_NAME: "flags",
      NODE_OPTIONS: PRELOAD,
    };
    ended = await serve(settings, async (send) => {
      await send("POST", "/console/v1/gates", { name: "new search", rules: [] });
      await send("GET", "/console/v1/gates/new_search?limit=secret-query");
      await send("POST", "/ofrep/v1/evaluate/flags/new_search", { context: { targetingKey: "alice" } });
      await send("POST", "/ofrep/v1/evaluate/flags", { context: { targetingKey: "alice" } });
      await send("POST", "/v1/check_gate", { gateName: "new_search", user: { userID: "alice" } });
    });
    spans = receiver.spans();
    ({ resource, logs, metrics } = { resource: receiver.resource(), logs: receiver.logs(), metrics: receiver.metrics() });
    sent = receiver.received.map(({ bytes }) => bytes.toString());
    headers = receiver.received.map(({ path, headers: all }) => [path, all.authorization ?? ""]);
  });
  let resource: Record<string, unknown>;
  let logs: ReturnType<typeof receiver.logs>;
  let metrics: ReturnType<typeof receiver.metrics>;
  let sent: string[];
  let headers: [path: string, authorization: string][];

  const spanOf = (operation: string) =>
    spans.find(({ attributes }) => read(attributes)["gatehouse.operation"] === operation) as ReceivedSpan;

  test("sends a span of each request in the trace of its caller, with the path template and the status", () => {
    const span = spanOf("getGate");
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: SERVER_KIND, name: "GET /console/v1/gates/{id}" });
    expect(read(span.attributes)).toEqual({
      "http.request.method": "GET",
      "http.response.status_code": 400,
      "http.route": "/console/v1/gates/{id}",
      "url.path": "/console/v1/gates/{id}",
      "url.scheme": "http",
      "network.protocol.version": "1.1",
      "gatehouse.operation": "getGate",
    });
    expect(resource).toMatchObject({ "service.name": "flags", "service.version": expect.stringMatching(/^\d+\./) });
    expect(resource).toMatchObject({ "deployment.environment.name": "test", "service.instance.id": expect.any(String) });
    expect(new Set(headers.map(([path, authorization]) => `${path} ${authorization}`))).toEqual(
      new Set(["/v1/traces Bearer collector", "/v1/logs Bearer collector", "/v1/metrics Bearer collector"]),
    );
  });

  test("sends spans of a request's transaction and statements, without values", () => {
    const parent = spanOf("createGate");
    const transaction = spans.find(({ name, parentSpanId }) => name === "transaction" && parentSpanId === parent.spanId) as ReceivedSpan;
    expect(transaction).toMatchObject({ traceId: TRACE, kind: CLIENT_KIND });
    const statements = spans.filter(({ parentSpanId }) => parentSpanId === transaction.spanId);
    expect(statements.length).toBeGreaterThan(0);
    for (const { name, attributes } of statements) {
      const { "db.query.text": text, ...rest } = read(attributes);
      expect(rest).toEqual({ "db.system.name": "postgresql", "db.operation.name": name.split(" ")[0], "db.query.summary": name });
      expect(text).not.toMatch(/'|new_search/);
    }
  });

  test("sends the evaluated flags as events of spans", () => {
    const flag = {
      "feature_flag.key": "new_search",
      "feature_flag.provider.name": "Gatehouse",
      "feature_flag.result.reason": "static",
      "feature_flag.result.variant": "default",
    };
    const events = (operation: string) => spanOf(operation).events.map(({ name, attributes }) => [name, read(attributes)]);
    for (const operation of ["evaluateFlag", "evaluateFlags", "checkGate"])
      expect(events(operation)).toEqual([["feature_flag.evaluation", flag]]);
  });

  test("sends spans of background jobs with their statements, except for those that found no work", () => {
    const jobs = spans.filter(({ name }) => name.startsWith("job "));
    expect(jobs.length).toBeGreaterThan(0);
    const ERROR = 2;
    for (const { traceId, status } of jobs)
      expect(status.code === ERROR || spans.filter((span) => span.traceId === traceId).length > 3).toBe(true);
    expect(jobs.map(({ name }) => name)).not.toContain("job ingestionRuns");
  });

  test("sends each line of the log with the ids of its span, and writes them into the line", () => {
    const { spanId } = spanOf("getGate");
    const record = logs.find((log) => log.spanId === spanId);
    expect(record).toMatchObject({ traceId: TRACE, severityText: "INFO", body: { stringValue: "request" } });
    expect(read(record?.attributes ?? [])).toMatchObject({ method: "GET", path: "/console/v1/gates/new_search", status: 400 });
    const line = ended.stdout.split("\n").find((one) => one.includes(spanId)) ?? "";
    expect(JSON.parse(line)).toMatchObject({ msg: "request", trace_id: TRACE, span_id: spanId, operation: "getGate" });
  });

  test("sends the metrics that /metrics has, under the same names", () => {
    const find = (name: string) => metrics.find((metric) => metric.name === name);
    expect(find("gatehouse_evaluations_total")?.sum).toMatchObject({ isMonotonic: true, aggregationTemporality: 2 });
    const requests = find("gatehouse_http_request_duration_seconds");
    expect(requests?.unit).toBe("s");
    const point = requests?.histogram?.dataPoints.find(({ attributes }) => read(attributes).operation === "createGate");
    expect(read(point.attributes)).toEqual({ operation: "createGate", status: 201 });
    expect([point.count, point.explicitBounds.length, point.bucketCounts.length]).toEqual([1, 13, 14]);
    expect(point.bucketCounts.reduce((sum: number, count: number) => sum + Number(count), 0)).toBe(1);
    expect(find("gatehouse_rulesets")?.gauge?.dataPoints).toMatchObject([{ asDouble: 1 }]);
    expect(find("process_resident_memory_bytes")?.unit).toBe("By");
  });

  test("sends the duration of requests by method, route and status, as the semantic conventions name it", () => {
    const durations = metrics.find(({ name }) => name === "http.server.request.duration");
    const found = durations?.histogram?.dataPoints.map(({ attributes, count }) => ({ ...read(attributes), count }));
    const created = { "http.request.method": "POST", "http.route": "/console/v1/gates", "http.response.status_code": 201 };
    const refused = { "http.request.method": "GET", "http.route": "/console/v1/gates/{id}", "http.response.status_code": 400 };
    expect([durations?.unit, found]).toEqual([
      "s",
      expect.arrayContaining([
        { ...created, count: 1 },
        { ...refused, count: 1 },
      ]),
    ]);
  });

  test("loads OpenTelemetry", () => {
    expect(ended.stderr).toContain("LOADED");
  });

  test("sends no keys, queries or ids of users", () => {
    for (const text of sent) expect(text).not.toMatch(/alice|secret-query|key-of-the-telemetry-test/);
  });
});

test("the default protocol is binary, and a request without a sampled trace sends no span", async () => {
  const settings = { OTEL_TRACES_EXPORTER: "otlp", OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_LOGS_EXPORTER: "none" };
  await serve({ ...settings, OTEL_METRICS_EXPORTER: "none", OTEL_TRACES_SAMPLER: "parentbased_always_off" }, async (send) => {
    await send("GET", "/console/v1/gates");
    await fetch((await send("GET", "/livez")).url);
  });
  expect(new Set(receiver.received.map(({ path, headers }) => `${path} ${headers["content-type"]}`))).toEqual(
    new Set(["/v1/traces application/x-protobuf"]),
  );
  const bytes = Buffer.concat(receiver.received.map((one) => one.bytes));
  const spansIn = (id: string) => bytes.toString("hex").split(id).length - 1;
  expect([spansIn(TRACE) > 0, bytes.includes("GET /console/v1/gates"), bytes.includes("job ")]).toEqual([true, true, false]);
});

describe("a webhook", () => {
  let hook: Server;
  let traceparents: (string | undefined)[];
  beforeAll(async () => {
    traceparents = [];
    hook = createServer(({ headers }, response) => {
      traceparents.push(headers.traceparent as string | undefined);
      response.end("ok");
    });
    await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => void traceparents.splice(0));
  afterAll(() => void hook.close());

  /** Sends the test message of a new webhook. */
  async function testWebhook(env: Record<string, string>): Promise<void> {
    const { port } = hook.address() as AddressInfo;
    const settings = { GATEHOUSE_WEBHOOK_HOSTS: `127.0.0.1:${port}`, GATEHOUSE_SECRET_KEY: "0123456789abcdef0123456789abcdef" };
    await serve({ ...settings, ...env }, async (send) => {
      const made = await send("POST", "/console/v1/webhooks", { name: "traced", url: `http://127.0.0.1:${port}/hook` });
      const { data } = (await made.json()) as { data: { id: string } };
      expect((await send("POST", `/console/v1/webhooks/${data.id}/test`)).status).toBe(200);
    });
  }

  test("continues the trace at its receiver, below a span of its own", async () => {
    await testWebhook({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" });
    const spans = receiver.spans();
    const request = spans.find(({ attributes }) => read(attributes)["gatehouse.operation"] === "testWebhook");
    const sent = spans.find(({ name, parentSpanId }) => name === "POST" && parentSpanId === request?.spanId);
    expect(sent).toMatchObject({ traceId: TRACE, kind: CLIENT_KIND });
    expect(read(sent?.attributes ?? [])).toEqual({ "http.request.method": "POST" });
    expect(traceparents).toContain(`00-${TRACE}-${sent?.spanId}-01`);
  });

  test("has no trace without tracing", async () => {
    await testWebhook({});
    expect(new Set(traceparents)).toEqual(new Set([undefined]));
  });
});

test("a server without settings loads nothing of OpenTelemetry", async () => {
  expect((await serve({ NODE_OPTIONS: PRELOAD }, (send) => send("GET", "/console/v1/gates"))).stderr).not.toContain("LOADED");
});

test("settings that would have no effect stop the start", async () => {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317",
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    OTEL_METRICS_EXPORTER: "prometheus",
    OTEL_TRACES_SAMPLER: "jaeger_remote",
    OTEL_TRACES_SAMPLER_ARG: "2",
  };
  const { code, stderr } = await start("main.js", { ...environment, ...settings }).ended;
  expect(code).toBe(1);
  for (const fault of [
    "OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://collector:4318",
    "OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf, http/json",
    "OTEL_METRICS_EXPORTER must be one of otlp, none",
    "OTEL_TRACES_SAMPLER must be one of always_on, always_off, traceidratio, parentbased_always_on, parentbased_always_off, parentbased_traceidratio",
    "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1",
  ])
    expect(stderr).toContain(fault);
});
