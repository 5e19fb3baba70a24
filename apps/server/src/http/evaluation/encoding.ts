import type { Encoding } from "../../evaluation/rulesets/sendable.ts";

const ENCODINGS: Encoding[] = ["br", "gzip"];

/** The first of the encodings that a caller takes. `br` is the smallest; `statsig-br` is another format. */
export function preferredEncoding(accepted: string | undefined): Encoding {
  if (accepted === undefined) return "identity";
  const taken = accepted.split(",").filter((one) => !/;\s*q=0(\.0*)?\s*$/i.test(one));
  const names = taken.map((one) => one.split(";", 1)[0]?.trim().toLowerCase());
  return ENCODINGS.find((encoding) => names.includes(encoding)) ?? "identity";
}
