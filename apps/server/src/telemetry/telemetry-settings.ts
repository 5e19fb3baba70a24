/** How data is sent. */
export type OtlpProtocol = "http/protobuf" | "http/json";

/** Signals without a protocol are off. */
export type TelemetrySettings = {
  traces: OtlpProtocol | undefined;
  metrics: OtlpProtocol | undefined;
  logs: OtlpProtocol | undefined;
  /** The interval at which metrics are sent, ms. */
  metricIntervalMs: number;
  metricTimeoutMs: number;
};
