import type { IncomingMessage } from "node:http";
import { forbidden } from "../../common/errors.ts";

const SAFE_METHODS = ["GET", "HEAD", "OPTIONS"];

const SAME_ORIGIN = "a request from a page of the same origin";
/** Longer origins are cut off. */
const MAX_SHOWN = 200;

type ResolveOrigin = (request: IncomingMessage) => string;

/**
 * Rejects an unsafe request that a page of another origin sent. Browsers say so in `Sec-Fetch-Site`; where they do not, for example with
 * plain http, in `Origin`.
 * @param hasCookie then the request must prove the same origin. Without a cookie it must only not name another
 * @throws AppError forbidden
 */
export function requireSameOrigin(request: IncomingMessage, resolveOrigin: ResolveOrigin, hasCookie: boolean): void {
  const { method = "", headers } = request;
  if (SAFE_METHODS.includes(method)) return;
  const site = headers["sec-fetch-site"];
  const { origin } = headers;
  const isSame = site !== undefined ? site === "same-origin" : origin !== undefined ? origin === resolveOrigin(request) : !hasCookie;
  if (isSame) return;
  // Without Sec-Fetch-Site, the cause may also be a proxy that changes `Host`.
  if (site !== undefined || origin === undefined) throw forbidden(SAME_ORIGIN);
  const places = `The page is at ${origin.slice(0, MAX_SHOWN)}, and the request was sent to ${resolveOrigin(request)}`;
  throw forbidden(`${SAME_ORIGIN}. ${places}. If a proxy changes the Host header, set GATEHOUSE_PUBLIC_URL to the address of the page`);
}
