/** A count at a time, in milliseconds since the epoch. */
export type Point = { time: number; value: number };
export type Series = { id: string; label: string; points: readonly Point[] };
export type Interval = "hour" | "day";

/** Counts by interval. `rest` sums the series without their own colour. */
export type Layer = { id: string; label: string; isRest: boolean; total: number; values: number[] };
type Bin = { start: number; end: number };
export type Binned = {
  bins: Bin[];
  /** How many intervals one bin covers: more than one where the chart has no room for each. */
  intervalsPerBin: number;
  /** In the order of the series, `rest` last. */
  layers: Layer[];
  /** The total of each bin. */
  totals: number[];
};

export const LENGTH_MS: Record<Interval, number> = { hour: 3_600_000, day: 86_400_000 };
/** Sizes of bins that a reader can name, in intervals. */
const BIN_SIZES: Record<Interval, readonly number[]> = { hour: [1, 2, 3, 6, 12, 24, 48, 168], day: [1, 2, 7, 14, 28, 56, 112] };
const MAX_LAYERS = 6;

const REST_ID = "\u0000rest";

/** The counts of each interval from `start` to `end`. Intervals without a point are zero, and points outside are left out. */
export function binned(
  series: readonly Series[],
  { start, end, interval, maxBins }: { start: number; end: number; interval: Interval; maxBins: number },
): Binned {
  const length = LENGTH_MS[interval];
  const count = Math.max(0, Math.ceil((end - start) / length));
  const sizes = BIN_SIZES[interval];
  const intervalsPerBin = sizes.find((size) => Math.ceil(count / size) <= maxBins) ?? sizes.at(-1) ?? 1;
  const width = length * intervalsPerBin;
  const bins = Array.from({ length: Math.ceil(count / intervalsPerBin) }, (_, index) => ({
    start: start + index * width,
    end: Math.min(start + (index + 1) * width, start + count * length),
  }));

  const all = series.map(({ id, label, points }): Layer => {
    const values = bins.map(() => 0);
    for (const { time, value } of points) {
      const index = Math.floor((time - start) / width);
      if (index in values) values[index] = (values[index] ?? 0) + value;
    }
    return { id, label, isRest: false, total: sum(values), values };
  });
  const layers = largest(all.filter(({ total }) => total > 0));
  return { bins, intervalsPerBin, layers, totals: bins.map((_, bin) => sum(layers.map(({ values }) => values[bin] ?? 0))) };
}

/** The largest series one by one, the others as their sum. The order is the caller's, so that a new count does not move colours. */
function largest(layers: readonly Layer[]): Layer[] {
  if (layers.length <= MAX_LAYERS) return [...layers];
  const kept = new Set(layers.toSorted((one, other) => other.total - one.total).slice(0, MAX_LAYERS));
  const others = layers.filter((layer) => !kept.has(layer));
  const values = (others[0]?.values ?? []).map((_, bin) => sum(others.map((layer) => layer.values[bin] ?? 0)));
  return [
    ...layers.filter((layer) => kept.has(layer)),
    { id: REST_ID, label: `${others.length} others`, isRest: true, total: sum(values), values },
  ];
}

/** The intervals of a bin in words: hour, 6 hours, day, week. */
export function binName(interval: Interval, intervalsPerBin: number): string {
  const hours = intervalsPerBin * (interval === "hour" ? 1 : 24);
  if (hours % 168 === 0) return hours === 168 ? "week" : `${hours / 168} weeks`;
  if (hours % 24 === 0) return hours === 24 ? "day" : `${hours / 24} days`;
  return hours === 1 ? "hour" : `${hours} hours`;
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
