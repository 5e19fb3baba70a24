import type { OtlpProtocol, TelemetrySettings } from "../telemetry/telemetry-settings.ts";
import type { Setting } from "./oidc-config.ts";

const SIGNALS = ["TRACES", "METRICS", "LOGS"] as const;
const EXPORTERS = ["otlp", "none"] as const;
const PROTOCOLS: readonly OtlpProtocol[] = ["http/protobuf", "http/json"];
const SAMPLERS = [
  ...["always_on", "always_off", "traceidratio"],
  ...["parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"],
];
const MAX_INTERVAL_MS = 86_400_000;
const INTERVAL_MUST = `a whole number of milliseconds from 1 to ${MAX_INTERVAL_MS}`;

/**
 * Reads the settings of OpenTelemetry. A signal is on if it has an endpoint or the exporter `otlp`. The SDK reads the same variables, and
 * ignores values that it doesn't know, so they are checked here.
 * @returns undefined if every signal is off
 */
export function readTelemetry(setting: Setting): TelemetrySettings | undefined {
  const oneOf = <T extends string>(name: string, values: readonly T[]) =>
    setting<T | undefined>(name, undefined, (text) => values.find((value) => value === text), `one of ${values.join(", ")}`);
  const endpoint = (name: string) => setting(name, undefined, readEndpoint, "a URL such as http://collector:4318");
  const interval = (name: string, fallback: number) => setting(name, fallback, readInterval, INTERVAL_MUST);
  const isDisabled = setting("OTEL_SDK_DISABLED", false, readBoolean, "true or false");
  const common = { endpoint: endpoint("OTEL_EXPORTER_OTLP_ENDPOINT"), protocol: oneOf("OTEL_EXPORTER_OTLP_PROTOCOL", PROTOCOLS) };
  const [traces, metrics, logs] = SIGNALS.map((signal) => {
    const exporter = oneOf(`OTEL_${signal}_EXPORTER`, EXPORTERS);
    const own = endpoint(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`);
    const protocol = oneOf(`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, PROTOCOLS) ?? common.protocol ?? "http/protobuf";
    const hasEndpoint = own !== undefined || common.endpoint !== undefined;
    return !isDisabled && (exporter === "otlp" || (exporter === undefined && hasEndpoint)) ? protocol : undefined;
  });
  oneOf("OTEL_TRACES_SAMPLER", SAMPLERS);
  setting("OTEL_TRACES_SAMPLER_ARG", undefined, readRatio, "a number from 0 to 1");
  const metricIntervalMs = interval("OTEL_METRIC_EXPORT_INTERVAL", 60_000);
  const metricTimeoutMs = Math.min(metricIntervalMs, interval("OTEL_METRIC_EXPORT_TIMEOUT", 30_000));
  if (traces === undefined && metrics === undefined && logs === undefined) return undefined;
  return { traces, metrics, logs, metricIntervalMs, metricTimeoutMs };
}

function readEndpoint(text: string): string | undefined {
  return /^https?:\/\//.test(text) && URL.canParse(text) ? text : undefined;
}

function readBoolean(text: string): boolean | undefined {
  return { true: true, false: false }[text.toLowerCase()];
}

function readRatio(text: string): number | undefined {
  const ratio = Number(text);
  return ratio >= 0 && ratio <= 1 ? ratio : undefined;
}

function readInterval(text: string): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= 1 && value <= MAX_INTERVAL_MS ? value : undefined;
}
