import Negotiator from "negotiator";
import type { Encoding } from "../../evaluation/rulesets/sendable.ts";

/** By size of the results, smallest first, for equal weights. `statsig-br` is another format. */
const ENCODINGS: Encoding[] = ["br", "gzip", "identity"];

/**
 * The encoding that an `Accept-Encoding` header prefers; `identity` if it accepts none of ours.
 * @param available of them, if it is not all
 */
export function preferredEncoding(accepted: string | undefined, available = ENCODINGS): Encoding {
  const negotiator = new Negotiator({ headers: { "accept-encoding": accepted } });
  return negotiator.encoding(available, { preferred: ENCODINGS }) ?? "identity";
}
