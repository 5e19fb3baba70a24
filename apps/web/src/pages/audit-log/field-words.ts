// Fields and their values in words. Pure.

const MAX_INLINE = 60;
/** Times are milliseconds since the epoch, of the years from 2001 to 2100. */
const IS_TIME = /(Time|At)$/;
const [EARLIEST_MS, LATEST_MS] = [978_307_200_000, 4_102_444_800_000];

export type ShownValue = { text: string; isNothing?: true; isBlock?: true };

/** A value as a person reads it. @param timeText a time in words */
export function valueText(field: string, value: unknown, timeText: (time: number) => string): ShownValue {
  if (value === null || value === undefined) return { text: "Nothing", isNothing: true };
  if (value === "") return { text: "Empty", isNothing: true };
  if (typeof value === "boolean") return { text: value ? "Yes" : "No" };
  if (typeof value === "number" && IS_TIME.test(field) && value > EARLIEST_MS && value < LATEST_MS) return { text: timeText(value) };
  if (Array.isArray(value) && value.length === 0) return { text: "Empty list", isNothing: true };
  if (typeof value === "string") return value.includes("\n") ? { text: value, isBlock: true } : { text: value };
  if (Array.isArray(value) && value.every((item) => typeof item === "string" || typeof item === "number"))
    return { text: value.join(", ") };
  const line = JSON.stringify(value);
  return line.length <= MAX_INLINE ? { text: line } : { text: JSON.stringify(value, undefined, 2), isBlock: true };
}
