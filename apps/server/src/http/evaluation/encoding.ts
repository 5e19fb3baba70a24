import type { Encoding } from "../../evaluation/rulesets/sendable.ts";

/** The best of what a caller takes and the server has. `br` is the smallest; `statsig-br` is another format. */
export function preferredEncoding(accepted: string | undefined): Encoding {
  if (accepted === undefined) return "identity";
  const taken = accepted.split(",").filter((one) => !/;\s*q=0(\.0*)?\s*$/i.test(one));
  const names = taken.map((one) => one.split(";", 1)[0]?.trim().toLowerCase());
  if (names.includes("br")) return "br";
  return names.includes("gzip") ? "gzip" : "identity";
}
