import type { Route } from "@gatehouse/contract";

/** Tells the requests that ask a model from others. */
export function asksModel(routes: Record<string, Route>, baseUrl: string): (request: Request) => boolean {
  const base = new URL(baseUrl).pathname.replace(/\/$/, "");
  const asking = Object.values(routes).filter((route) => route.asksModel);
  const paths = asking.map(({ method, path }) => ({ method: method.toUpperCase(), segments: `${base}${path}`.split("/") }));
  return (request) => {
    const segments = new URL(request.url).pathname.split("/");
    return paths.some(({ method, segments: known }) => method === request.method && isSamePath(known, segments));
  };
}

function isSamePath(known: readonly string[], segments: readonly string[]): boolean {
  return known.length === segments.length && known.every((part, index) => part.startsWith("{") || part === segments[index]);
}
