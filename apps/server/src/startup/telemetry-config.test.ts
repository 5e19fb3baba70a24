import { expect, test } from "vitest";
import { faults } from "../../test/support/config-faults.ts";
import { readConfig } from "./config.ts";

const read = (env: Record<string, string>) => readConfig(env).telemetry;
const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
const BINARY = "http/protobuf";
const defaults = { traces: undefined, metrics: undefined, logs: undefined, metricIntervalMs: 60_000, metricTimeoutMs: 30_000 };

test("nothing is sent without an endpoint or exporter, or if the SDK is disabled", () => {
  expect(read({})).toBeUndefined();
  expect(read({ OTEL_SERVICE_NAME: "flags", OTEL_EXPORTER_OTLP_PROTOCOL: BINARY })).toBeUndefined();
  expect(read({ ...ENDPOINT, OTEL_SDK_DISABLED: "TRUE" })).toBeUndefined();
  expect(read({ ...ENDPOINT, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none", OTEL_LOGS_EXPORTER: "none" })).toBeUndefined();
});

test("an endpoint turns every signal on, or its own, and an exporter turns one on or off", () => {
  expect(read(ENDPOINT)).toEqual({ ...defaults, traces: BINARY, metrics: BINARY, logs: BINARY });
  expect(read({ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "https://logs.example.com/otlp" })).toEqual({ ...defaults, logs: BINARY });
  expect(read({ OTEL_TRACES_EXPORTER: "otlp" })).toEqual({ ...defaults, traces: BINARY });
  expect(read({ ...ENDPOINT, OTEL_METRICS_EXPORTER: "none" })).toEqual({ ...defaults, traces: BINARY, logs: BINARY });
});

test("the protocol of a signal comes before the common one, and metrics are sent at the given interval", () => {
  const protocols = { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json", OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: BINARY };
  const times = { OTEL_METRIC_EXPORT_INTERVAL: "5000", OTEL_METRIC_EXPORT_TIMEOUT: "10000" };
  const expected = { traces: BINARY, metrics: "http/json", logs: "http/json", metricIntervalMs: 5_000, metricTimeoutMs: 5_000 };
  expect(read({ ...ENDPOINT, ...protocols, ...times })).toEqual(expected);
});

test("values that would have no effect are refused by name", () => {
  const all = {
    OTEL_SDK_DISABLED: "yes",
    OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317",
    OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
    OTEL_METRICS_EXPORTER: "prometheus",
    OTEL_TRACES_SAMPLER: "jaeger_remote",
    OTEL_TRACES_SAMPLER_ARG: "2",
    OTEL_METRIC_EXPORT_INTERVAL: "1s",
  };
  expect(faults(all)).toEqual([
    "OTEL_SDK_DISABLED must be true or false",
    "OTEL_EXPORTER_OTLP_ENDPOINT must be a URL such as http://collector:4318",
    "OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf, http/json",
    "OTEL_METRICS_EXPORTER must be one of otlp, none",
    expect.stringMatching(/^OTEL_TRACES_SAMPLER must be one of always_on, always_off, traceidratio, /),
    "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1",
    "OTEL_METRIC_EXPORT_INTERVAL must be a whole number of milliseconds from 1 to 86400000",
  ]);
});
