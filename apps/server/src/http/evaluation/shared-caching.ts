import type { Credentials } from "../../common/context.ts";
import type { Exchange } from "./exchange.ts";

/** How long caches may serve a stored ruleset while the server fails or cannot be reached, seconds. Relays trust keys for as long. */
const STALE_IF_ERROR_S = 86_400;

type Headers = Record<string, string>;

/** The headers with which caches that many callers share, such as CDNs, may store a response. Undefined if they may not. */
export type SharedCaching = (
  exchange: Pick<Exchange, "match">,
  caller: { secret: string; credentials: Credentials },
) => Headers | undefined;

/**
 * Lets shared caches store rulesets whose URL contains the key, and no other response. A cache identifies responses by their URL. It does not
 * check keys in headers or addresses of callers.
 * @param maxAgeS how long a stored ruleset is current, seconds. It may be served for as long again while the cache fetches the next one.
 */
export function createSharedCaching(maxAgeS: number | "off"): SharedCaching {
  if (maxAgeS === "off") return () => undefined;
  const ifError = `stale-if-error=${STALE_IF_ERROR_S}`;
  const headers = {
    "Cache-Control": `max-age=0, s-maxage=${maxAgeS}, ${ifError}`,
    "CDN-Cache-Control": `max-age=${maxAgeS}, stale-while-revalidate=${maxAgeS}, ${ifError}`,
  };
  return ({ match }, { secret, credentials }) => {
    const key = match?.parameters.sdkKey;
    return key !== undefined && key === secret && credentials.worksAnywhere ? headers : undefined;
  };
}
