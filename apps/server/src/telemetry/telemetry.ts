import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { DiagLogLevel, diag } from "@opentelemetry/api";
import { OTLPLogExporter as JsonLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-proto";
import { OTLPMetricExporter as JsonMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter as JsonTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, type Resource, resourceFromAttributes, serviceInstanceIdDetector } from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import type { Registry } from "prom-client";
import type { OperationRoute, Tracing } from "../common/tracing.ts";
import { withoutIdleJobs } from "./idle-jobs.ts";
import { createLogSender } from "./log-records.ts";
import { produceFrom } from "./registry-producer.ts";
import type { TelemetrySettings } from "./telemetry-settings.ts";
import { createTracing } from "./tracer.ts";

const NAME = "gatehouse";
/** A failure to send is reported once in this time. */
const REPORT_INTERVAL_MS = 60_000;
/** At the end of the process, data that isn't sent within this time is dropped. */
const FLUSH_TIMEOUT_MS = 5_000;

/** Sends traces, metrics and logs by OTLP. Undefined parts are off. */
export type Telemetry = {
  tracing: Tracing | undefined;
  /** Sends a line of the log. */
  sendLine: ((line: string) => void) | undefined;
  /** Sends metrics periodically. */
  sendMetrics(registry: Registry): void;
  /** Sends the rest. */
  close(): Promise<void>;
};

type Options = {
  routes: ReadonlyMap<string, OperationRoute>;
  /** Receives failures to send. */
  report(message: string): void;
};

type Closing = { shutdown(): Promise<void> };

/** Starts the SDK of OpenTelemetry, which reads its other settings from the environment. */
export function startTelemetry({ traces, metrics, logs, ...settings }: TelemetrySettings, { routes, report }: Options): Telemetry {
  const { version } = JSON.parse(readFileSync(createRequire(import.meta.url).resolve("#package.json"), "utf8")) as { version: string };
  const parts: Closing[] = [];
  reportFailures(report);
  const resource = describeService(version);
  let tracing: Tracing | undefined;
  if (traces !== undefined) {
    const exporter = traces === "http/json" ? new JsonTraceExporter() : new OTLPTraceExporter();
    const provider = new BasicTracerProvider({ resource, spanProcessors: [withoutIdleJobs(new BatchSpanProcessor(exporter))] });
    parts.push(provider);
    tracing = createTracing(provider.getTracer(NAME, version), routes);
  }
  let sendLine: ((line: string) => void) | undefined;
  if (logs !== undefined) {
    const exporter = logs === "http/json" ? new JsonLogExporter() : new OTLPLogExporter();
    const provider = new LoggerProvider({ resource, processors: [new BatchLogRecordProcessor({ exporter })] });
    parts.push(provider);
    sendLine = createLogSender(provider.getLogger(NAME, version));
  }
  return {
    tracing,
    sendLine,
    sendMetrics(registry) {
      if (metrics === undefined) return;
      const reader = new PeriodicExportingMetricReader({
        exporter: metrics === "http/json" ? new JsonMetricExporter() : new OTLPMetricExporter(),
        exportIntervalMillis: settings.metricIntervalMs,
        exportTimeoutMillis: settings.metricTimeoutMs,
        metricProducers: [produceFrom(registry, routes, Date.now)],
      });
      parts.push(new MeterProvider({ resource, readers: [reader] }));
    },
    async close() {
      const closed = Promise.allSettled(parts.map((part) => part.shutdown()));
      await Promise.race([closed, sleep(FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
    },
  };
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` replace these attributes. */
function describeService(version: string): Resource {
  const own = resourceFromAttributes({ "service.name": NAME, "service.version": version });
  return own.merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
}

/** The SDK reports through a global of its API. */
function reportFailures(report: (message: string) => void): void {
  let lastTime = Number.NEGATIVE_INFINITY;
  const tell = (message: string) => {
    if (performance.now() - lastTime < REPORT_INTERVAL_MS) return;
    lastTime = performance.now();
    report(message);
  };
  const silent = () => {};
  diag.setLogger({ error: tell, warn: tell, info: silent, debug: silent, verbose: silent }, { logLevel: DiagLogLevel.WARN });
}
