import Negotiator from "negotiator";
import type { Encoding } from "../../evaluation/rulesets/sendable.ts";

/** The smallest first, for callers that take several equally well. `statsig-br` is another format. */
const ENCODINGS: Encoding[] = ["br", "gzip", "identity"];

/** The encoding that the `Accept-Encoding` of a request prefers. `identity` where it accepts none of them. */
export function preferredEncoding(accepted: string | undefined): Encoding {
  const negotiator = new Negotiator({ headers: { "accept-encoding": accepted } });
  return negotiator.encoding(ENCODINGS, { preferred: ENCODINGS }) ?? "identity";
}
