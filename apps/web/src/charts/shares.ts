import type { Paint } from "./paint.tsx";

export type Share = {
  id: string;
  label: string;
  /** 0 to 100. The sum of all is 100 at most. */
  percent: number;
};

export type SharePart = Share & { paint: Paint; x: number; width: number };

export const REMAINDER_ID = "\u0000remainder";
/** Less than this is a sum of rounded percentages, not a remainder. */
const MIN_REMAINDER = 0.005;

/** The parts of a bar, px. The remainder fills up to 100. A sum above 100 is scaled to the bar. */
export function shareParts(shares: readonly Share[], { width, remainder }: { width: number; remainder?: string }): SharePart[] {
  const total = shares.reduce((sum, { percent }) => sum + percent, 0);
  const left = 100 - total;
  const all = [
    ...shares.map((share, index) => ({ ...share, paint: index as Paint })),
    ...(left >= MIN_REMAINDER && remainder !== undefined
      ? [{ id: REMAINDER_ID, label: remainder, percent: left, paint: "free" as const }]
      : []),
  ];
  const scale = width / Math.max(100, total);
  let x = 0;
  return all.map((share) => {
    const part = { ...share, x, width: share.percent * scale };
    x += part.width;
    return part;
  });
}
