import type { IncomingMessage } from "node:http";
import { forbidden } from "../../common/errors.ts";

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

type ResolveOrigin = (request: IncomingMessage) => string;

/**
 * Rejects an unsafe request that a page of another origin sent. Browsers say so in `Sec-Fetch-Site`; where they do not, for example by plain
 * http, in `Origin`.
 * @param hasCookie then the request must say that it is from the same origin; without a cookie it need only not say otherwise
 * @throws AppError forbidden
 */
export function requireSameOrigin(request: IncomingMessage, resolveOrigin: ResolveOrigin, hasCookie: boolean): void {
  const { method = "", headers } = request;
  if (SAFE_METHODS.includes(method)) return;
  const site = headers["sec-fetch-site"];
  const { origin } = headers;
  const isSame = site !== undefined ? site === "same-origin" : origin !== undefined ? origin === resolveOrigin(request) : !hasCookie;
  if (!isSame) throw forbidden("a request from a page of the same origin");
}
