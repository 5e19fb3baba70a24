import { DataPointType, type MetricData } from "@opentelemetry/sdk-metrics";
import type { OperationRoute } from "../common/tracing.ts";

const OWN_NAME = "gatehouse_http_request_duration_seconds";
/** The status of our metric if the caller closed the connection before the response. */
const CLOSED_BY_CALLER = 499;
const DESCRIPTION = "Duration of HTTP server requests.";

/**
 * The duration of requests by method, route and status, as the semantic conventions for HTTP metrics define it:
 * https://opentelemetry.io/docs/specs/semconv/http/http-metrics/. Requests that match no operation are left out, since they have no route.
 * @returns nothing for other metrics
 */
export function requestDurations(metric: MetricData, routes: ReadonlyMap<string, OperationRoute>): MetricData[] {
  if (metric.descriptor.name !== OWN_NAME || metric.dataPointType !== DataPointType.HISTOGRAM) return [];
  const dataPoints = metric.dataPoints.flatMap(({ attributes: { operation, status }, ...point }) => {
    const route = routes.get(String(operation));
    if (!route) return [];
    const isAnswered = Number(status) !== CLOSED_BY_CALLER;
    const isError = !isAnswered || Number(status) >= 500;
    const attributes = {
      "http.request.method": route.method,
      "http.route": route.path,
      ...(isAnswered && { "http.response.status_code": Number(status) }),
      ...(isError && { "error.type": isAnswered ? String(status) : "closed_by_caller" }),
    };
    return [{ ...point, attributes }];
  });
  return [{ ...metric, descriptor: { ...metric.descriptor, name: "http.server.request.duration", description: DESCRIPTION }, dataPoints }];
}
