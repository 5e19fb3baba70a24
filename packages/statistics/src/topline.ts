export type ToplineImpact = {
  /** The test's change of the whole metric per day. */
  readonly perDay: number;
  /** The same relative to the size of the metric without the test; a share: 0.05 is 5%. Undefined if that size is zero or unknown. */
  readonly relative: number | undefined;
  /** The change per day if everyone had the test. Undefined without an `exposedShare`. */
  readonly projectedPerDay: number | undefined;
  /** The same relative to the size of the metric without the test. */
  readonly projectedRelative: number | undefined;
};

/** Half the widths of the intervals are those of the difference, scaled like it: as if the metric without the test were known exactly. */
export type Topline = { readonly impact: ToplineImpact; readonly halfWidth: ToplineImpact };

export type Exposure = {
  testUnits: number;
  days: number;
  /** The metric of all units over the days. Without it, relative values are undefined. */
  total: number | undefined;
  /** The share of units that are to have the test, 0–1: allocation × size of the group. Undefined if it is not known. */
  exposedShare: number | undefined;
};

/**
 * A test's effect on the whole metric of the project: (x̄t − x̄c)·nt per `days`, relative to total − impact. If everyone had the test, it is
 * divided by the share of units that have it. Only for metrics whose units add up. Source: the documentation of Statsig.
 * @param delta the difference of means
 * @param halfWidth half the width of its interval
 */
export function estimateTopline(
  { delta, halfWidth }: { delta: number; halfWidth: number },
  { testUnits, days, total, exposedShare }: Exposure,
): Topline {
  const without = total === undefined ? 0 : Math.abs(total - delta * testUnits);
  const scaled = (perUnit: number): ToplineImpact => {
    const sum = perUnit * testUnits;
    const relative = without === 0 ? undefined : sum / without;
    const projected = (impact: number | undefined) => (impact === undefined || !exposedShare ? undefined : impact / exposedShare);
    return { perDay: sum / days, relative, projectedPerDay: projected(sum / days), projectedRelative: projected(relative) };
  };
  return { impact: scaled(delta), halfWidth: scaled(halfWidth) };
}
