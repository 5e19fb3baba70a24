import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Json = { [name: string]: unknown };

export const TOKEN = "secret-token-1";

/** What each system sends, which its importer reads from a file elsewhere. */
export const exported = (system: string): Json =>
  JSON.parse(readFileSync(new URL(`./exports/${system}.json`, import.meta.url), "utf8")) as Json;

/** A server that responds as the APIs of other systems do. Pages have one item. */
export async function startOtherSystem() {
  const requests: string[] = [];
  /** What the next requests get instead of their response. */
  const next: ((request: IncomingMessage, response: ServerResponse) => void)[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      requests.push(`${request.method} ${request.url}${body === "" ? "" : ` ${body}`}`);
      const other = next.shift();
      (other ?? respond)(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, next, stop: () => server.close() };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of request) body += chunk;
  return body;
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Names of headers that have the token, with the text before it. */
const TOKENS: { [path: string]: [header: string, prefix: string] } = {
  "/flags.json": ["authorization", "Bearer "],
  "/api/v1/environment-document/": ["x-environment-key", ""],
  "/api/v1/features": ["authorization", "Bearer "],
  "/api/v2/flags/shop": ["authorization", ""],
  "/api/v2/segments/shop/production": ["authorization", ""],
  "/api/v2/segments/shop/staging": ["authorization", ""],
  "/api/admin/features-batch/export": ["authorization", ""],
  "/api/admin/segments": ["authorization", ""],
};

function respond(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams: query } = new URL(request.url ?? "", "http://localhost");
  const [header, prefix] = TOKENS[pathname] ?? ["statsig-api-key", ""];
  const [status, body, headers] =
    request.headers[header] === prefix + TOKEN ? answerTo(pathname, query) : [401, { message: "Invalid token\u0007" }];
  sendJson(response, status, body, headers);
}

type Answer = [status: number, body: unknown, headers?: Record<string, string>];

function answerTo(pathname: string, query: URLSearchParams): Answer {
  switch (pathname) {
    case "/flags.json":
      return [200, exported("flagd")];
    case "/api/v1/environment-document/":
      return environment(query);
    case "/api/v1/features": {
      const { features } = exported("growthbook") as { features: unknown[] };
      const offset = Number(query.get("offset"));
      const rest = { limit: 1, offset, count: 1, total: features.length };
      const more = offset + 1 < features.length;
      const page = { hasMore: more, nextOffset: more ? offset + 1 : null };
      return [200, { features: features.slice(offset, offset + 1), ...rest, ...page }];
    }
    case "/api/v2/flags/shop": {
      const { items } = exported("launchdarkly") as { items: unknown[] };
      const offset = Number(query.get("offset"));
      return [200, { items: items.slice(offset, offset + 1), totalCount: items.length }];
    }
    case "/api/v2/segments/shop/production":
    case "/api/v2/segments/shop/staging": {
      const { segments } = exported("launchdarkly") as { segments: Record<string, unknown[]> };
      const items = segments[pathname.split("/").at(-1) ?? ""] ?? [];
      return [200, { items, totalCount: items.length }];
    }
    case "/api/admin/features-batch/export": {
      const { segments, ...rest } = exported("unleash") as { segments: { id: number; name: string }[] };
      return [200, { ...rest, segments: segments.map(({ id, name }) => ({ id, name })) }];
    }
    case "/api/admin/segments":
      return [200, { segments: exported("unleash").segments }];
    default:
      return statsigList(pathname, query);
  }
}

/** The first page has the whole environment, and others have more identities. */
function environment(query: URLSearchParams): Answer {
  const overrides = [{ identifier: "ann", identity_features: [{ feature: { name: "fs_checkout" } }] }];
  if (query.get("page_id") === "identity:2") return [200, { identity_overrides: overrides }];
  const link = '</api/v1/environment-document/?page_id=identity%3A2>; rel="next"';
  return [200, { ...exported("flagsmith"), identity_overrides: overrides }, { link }];
}

function statsigList(pathname: string, query: URLSearchParams): Answer {
  const list = pathname.replace("/console/v1/", "");
  const all = exported("statsig")[list];
  const items = Array.isArray(all) ? all : ((all as { data?: unknown[] } | undefined)?.data ?? []);
  const page = Number(query.get("page"));
  const nextPage = page < items.length ? `${pathname}?page=${page + 1}&limit=1` : null;
  const pagination = { itemsPerPage: 1, pageNumber: page, nextPage, previousPage: null, totalItems: items.length, all: pathname };
  return [200, { message: "Listed.", data: items.slice(page - 1, page), pagination }];
}
