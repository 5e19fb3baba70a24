import type { Binned } from "./series.ts";

/** A part of a bar, px. Its layer and bin are indexes. */
export type Bar = { layer: number; bin: number; x: number; y: number; width: number; height: number };

/** Between bars of at least that width each. px */
const GAPS: readonly [minStep: number, gap: number][] = [
  [12, 2],
  [4, 1],
];
const MAX_BAR_PX = 56;

/** The rectangles of bars that are stacked from the first layer up. Zero counts have none. */
export function stackedBars(
  { bins, layers }: Binned,
  { width, height, max }: { width: number; height: number; max: number },
): { bars: Bar[]; step: number } {
  const step = width / Math.max(1, bins.length);
  const gap = GAPS.find(([minStep]) => step >= minStep)?.[1] ?? 0;
  const thickness = Math.min(MAX_BAR_PX, step - gap);
  const bars: Bar[] = [];
  for (const bin of bins.keys()) {
    let below = 0;
    for (const [layer, { values }] of layers.entries()) {
      const value = values[bin] ?? 0;
      if (value === 0) continue;
      const bottom = height - (below / max) * height;
      below += value;
      const y = height - (below / max) * height;
      bars.push({ layer, bin, x: bin * step + (step - thickness) / 2, y, width: thickness, height: bottom - y });
    }
  }
  return { bars, step };
}
