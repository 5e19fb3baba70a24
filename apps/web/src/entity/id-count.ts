// Pure.
import type { Change } from "../targeting/change.ts";
import { subject, text, value } from "../targeting/parts.ts";
import { formatNumber } from "../ui/number-text.ts";

/** The change of the number of a segment's IDs. Neither versions nor the change log have the IDs themselves. */
export function idCountChange(before: number, after: number): Change {
  const difference = after - before;
  const words = `${formatNumber(Math.abs(difference))} ${difference > 0 ? "more" : "fewer"}, ${formatNumber(after)} in total`;
  return { kind: difference > 0 ? "added" : "removed", field: "count", parts: [subject("IDs"), text(":"), value(words)] };
}
