// One α for many comparisons.

export type BonferroniPlan = {
  /** The chance of a false positive over all comparisons, 0–1. */
  alpha: number;
  /** How many test groups are compared with the control; 1 if α is not divided among them. */
  testGroups: number;
  /** Left out if α is not divided among metrics. */
  metrics?: { primary: number; secondary: number /** The share of α for primary metrics, 0–1. */; primaryWeight: number };
};

/** The α of each primary and each secondary metric of one test group. Infinite shares do not occur: without metrics, α stays undivided. */
export function bonferroni({ alpha, testGroups, metrics }: BonferroniPlan): { primary: number; secondary: number } {
  const each = alpha / testGroups;
  if (!metrics) return { primary: each, secondary: each };
  const { primary, secondary, primaryWeight } = metrics;
  return {
    primary: (each * primaryWeight) / Math.max(1, primary),
    secondary: (each * (1 - primaryWeight)) / Math.max(1, secondary),
  };
}

export type Discoveries = {
  /** The p-values as if each stood alone, in the order given. */
  readonly adjusted: readonly number[];
  readonly isSignificant: readonly boolean[];
  /** A p-value up to this is significant. Without any significant one, α divided by their number. */
  readonly alpha: number;
};

const ascending = (ps: readonly number[]): number[] => ps.map((_, index) => index).sort((a, b) => (ps[a] as number) - (ps[b] as number));

/**
 * Bounds the chance of any false positive, as Bonferroni does, and never calls less. From the smallest p-value on, each is compared with α divided
 * by the number of p-values left, until one is larger. Source: Holm 1979.
 */
export function holm(ps: readonly number[], alpha: number): Discoveries {
  const count = ps.length;
  const order = ascending(ps);
  const adjusted = new Array<number>(count);
  let most = 0;
  for (const [rank, index] of order.entries()) {
    most = Math.max(most, Math.min(1, (ps[index] as number) * (count - rank)));
    adjusted[index] = most;
  }
  const failed = order.findIndex((index, rank) => (ps[index] as number) > alpha / (count - rank));
  // The first that fails exceeds this, and those before it do not.
  const threshold = failed === -1 ? alpha : alpha / (count - failed);
  return { adjusted, isSignificant: ps.map((p) => p <= threshold), alpha: threshold };
}

/** Bounds the share of false ones among the significant comparisons. Source: Benjamini, Hochberg 1995. */
export function benjaminiHochberg(ps: readonly number[], alpha: number): Discoveries {
  const count = ps.length;
  const order = ascending(ps);
  const adjusted = new Array<number>(count);
  let least = 1;
  for (let rank = count; rank >= 1; rank--) {
    const index = order[rank - 1] as number;
    least = Math.min(least, ((ps[index] as number) * count) / rank);
    adjusted[index] = least;
  }
  const passed = order.reduce((last, index, at) => ((ps[index] as number) <= (alpha * (at + 1)) / count ? at + 1 : last), 0);
  const threshold = (alpha * Math.max(1, passed)) / Math.max(1, count);
  return { adjusted, isSignificant: ps.map((p) => passed > 0 && p <= threshold), alpha: threshold };
}
