// The API requests of a write, as people can send them themselves.
import { routes } from "@gatehouse/contract/console";
import type { Timing, Write } from "../api.ts";
import { serverURL } from "../base-path.ts";

/** A query parameter; one for each item of a list. */
function named(name: string, value: unknown): [string, string][] {
  return [value].flat().flatMap((item) => (item === undefined ? [] : [[name, String(item)]]));
}

/** A write as a curl line and as a line of the client. */
export function describeCall(write: Write, timing?: Timing): { curl: string; client: string } {
  const [only] = write;
  const isSingle = only !== undefined && write.length === 1;
  const {
    operationId,
    path,
    query: own,
    body,
    ifMatch,
  } = (isSingle ? only : { operationId: "batch", body: { requests: write } }) as {
    operationId: keyof typeof routes;
    path?: Record<string, unknown>;
    query?: object;
    body?: unknown;
    ifMatch?: string;
  };
  const { method, path: template } = routes[operationId];
  const query = timing === undefined ? own : { ...own, ...timing };
  const search = query === undefined ? "" : `?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => named(name, value)))}`;
  const url = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path?.[name]))) + search;
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const curl = [
    `curl -X ${method.toUpperCase()} ${quoted(`${serverURL()}${url}`)}`,
    `-H "SERVICE-API-KEY: $GATEHOUSE_CONSOLE_KEY"`,
    ...(ifMatch === undefined ? [] : [`-H ${quoted(`If-Match: ${ifMatch}`)}`]),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
  const given = isSingle ? { path, query, body, ifMatch } : { requests: write, query };
  return { curl, client: `await api.${timing === undefined ? "" : "schedule."}${operationId}(${JSON.stringify(given, undefined, 2)});` };
}
