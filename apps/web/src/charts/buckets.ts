import type { Paint } from "./paint.tsx";

/** Buckets from `from`, up to but not including `to`. */
export type Segment = { id: string; label: string; from: number; to: number };

export type Holder = {
  id: string;
  label: string;
  paint: Paint;
  /** Its number in the legend and in the strip, from 1. Free buckets have none. */
  number: number | null;
  /** Ascending. Adjacent ranges are one. */
  ranges: { from: number; to: number }[];
  count: number;
};

export type Buckets = { holders: Holder[]; free: Holder };

export const FREE_ID = "\u0000free";

/** The holders of `total` buckets, ordered by their first one, and the free buckets. */
export function bucketHolders(segments: readonly Segment[], total: number): Buckets {
  const byID = new Map<string, Segment[]>();
  for (const segment of segments.toSorted((one, other) => one.from - other.from)) {
    if (segment.to <= segment.from) continue;
    byID.set(segment.id, [...(byID.get(segment.id) ?? []), segment]);
  }
  const holders = [...byID.values()].map((own, index): Holder => {
    const ranges = merged(own);
    return { id: own[0]?.id ?? "", label: own[0]?.label ?? "", paint: index, number: index + 1, ranges, count: countBuckets(ranges) };
  });
  const ranges = complement(merged(holders.flatMap((holder) => holder.ranges)), total);
  return { holders, free: { id: FREE_ID, label: "Free", paint: "free", number: null, ranges, count: countBuckets(ranges) } };
}

type Range = { from: number; to: number };

function merged(ranges: readonly Range[]): Range[] {
  const result: Range[] = [];
  for (const { from, to } of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.to) result[result.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else result.push({ from, to });
  }
  return result;
}

function complement(ranges: readonly Range[], total: number): Range[] {
  const result: Range[] = [];
  let from = 0;
  for (const range of [...ranges, { from: total, to: total }]) {
    if (range.from > from) result.push({ from, to: Math.min(range.from, total) });
    from = Math.max(from, range.to);
  }
  return result;
}

const countBuckets = (ranges: readonly Range[]): number => ranges.reduce((sum, { from, to }) => sum + to - from, 0);

const MAX_RANGES = 4;

/** The ranges as people read them, the last bucket included: 0–249, 500. */
export function rangesText(ranges: readonly Range[]): string {
  const texts = ranges.map(({ from, to }) => (to - from === 1 ? String(from) : `${from}–${to - 1}`));
  const more = texts.length - MAX_RANGES;
  return more > 0 ? `${texts.slice(0, MAX_RANGES).join(", ")} and ${more} more` : texts.join(", ");
}
