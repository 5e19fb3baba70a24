import type { Route } from "@gatehouse/contract";
import type { Middleware } from "openapi-fetch";

export const IDEMPOTENCY_KEY = "Idempotency-Key";

/** Adds an Idempotency-Key to each call that takes one and has none, so that all attempts of a call are one write. */
export function idempotencyKeys(routes: Record<string, Route>): Middleware {
  const taking = new Set(Object.values(routes).flatMap((route) => (route.takesIdempotencyKey ? [routeKey(route.method, route.path)] : [])));
  return {
    onRequest({ request, schemaPath }) {
      if (!taking.has(routeKey(request.method, schemaPath)) || request.headers.has(IDEMPOTENCY_KEY)) return undefined;
      request.headers.set(IDEMPOTENCY_KEY, randomKey());
      return request;
    },
  };
}

function routeKey(method: string, path: string): string {
  return `${method.toUpperCase()} ${path}`;
}

/** 128 random bits. `crypto.randomUUID` is not available in pages without HTTPS. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
