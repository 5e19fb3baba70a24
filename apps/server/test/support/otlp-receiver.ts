import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
type Attributes = { key: string; value: Value }[];

export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attributes;
  events: { name: string; attributes: Attributes }[];
  status: { code?: number };
};
type ReceivedLog = { traceId?: string; spanId?: string; severityText: string; body?: Value; attributes: Attributes };
export type ReceivedMetric = { name: string; unit: string; description: string } & Partial<
  Record<"gauge" | "sum" | "histogram", { dataPoints: any[]; isMonotonic?: boolean; aggregationTemporality?: number }>
>;

/** A request that an exporter sent. Bodies of JSON are parsed. */
type Received = { path: string; headers: IncomingHttpHeaders; bytes: Buffer; body: any };

/** The attributes of a span or a log record as an object. */
export function read(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue]),
  );
}

/** Starts a receiver of OTLP over HTTP, as a collector is one. */
export async function startOtlpReceiver() {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const isJson = request.headers["content-type"] === "application/json";
      received.push({ path: request.url ?? "", headers: request.headers, bytes, body: isJson ? JSON.parse(bytes.toString()) : undefined });
      response.writeHead(200, { "Content-Type": request.headers["content-type"] }).end(isJson ? "{}" : "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const resources = (list: string) => received.flatMap(({ body }) => body?.[list] ?? []);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    resource: () => read(resources("resourceSpans")[0]?.resource.attributes ?? []),
    spans: (): ReceivedSpan[] => resources("resourceSpans").flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }: any) => spans)),
    logs: (): ReceivedLog[] => resources("resourceLogs").flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }: any) => logRecords)),
    metrics: (): ReceivedMetric[] =>
      resources("resourceMetrics").flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }: any) => metrics)),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
