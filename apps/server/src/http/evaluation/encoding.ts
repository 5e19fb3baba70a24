import type { Encoding } from "../../evaluation/rulesets/sendable.ts";

/** The first of the encodings that a caller takes. `br` is the smallest; `statsig-br` is another format. */
export function preferredEncoding(accepted: string | undefined, encodings: Encoding[] = ["br", "gzip"]): Encoding {
  if (accepted === undefined) return "identity";
  const taken = accepted.split(",").filter((one) => !/;\s*q=0(\.0*)?\s*$/i.test(one));
  const names = taken.map((one) => one.split(";", 1)[0]?.trim().toLowerCase());
  return encodings.find((encoding) => names.includes(encoding)) ?? "identity";
}
