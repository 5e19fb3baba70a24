import Negotiator from "negotiator";
import type { Encoding } from "../../evaluation/rulesets/sendable.ts";

/** By size of the results, smallest first, for equal weights. `statsig-br` is another format. */
const ENCODINGS: Encoding[] = ["br", "gzip", "identity"];

/** The encoding that an `Accept-Encoding` header prefers; `identity` if it accepts none of ours. */
export function preferredEncoding(accepted: string | undefined): Encoding {
  const negotiator = new Negotiator({ headers: { "accept-encoding": accepted } });
  return negotiator.encoding(ENCODINGS, { preferred: ENCODINGS }) ?? "identity";
}
