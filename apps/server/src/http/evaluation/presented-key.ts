import type { IncomingHttpHeaders } from "node:http";

const KEY_HEADERS = ["x-api-key", "statsig-api-key", "service-api-key"];

/** The key of a request: from a header, the query parameter `k`, or the path, in this order. */
export function presentedKey(headers: IncomingHttpHeaders, query: URLSearchParams, path: Record<string, string>): string | undefined {
  const { authorization } = headers;
  if (authorization !== undefined && /^bearer /i.test(authorization)) return authorization.slice("bearer ".length).trim();
  for (const name of KEY_HEADERS) if (headers[name] !== undefined) return headers[name] as string;
  return query.get("k") ?? path.sdkKey;
}
