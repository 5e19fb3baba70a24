export type Topline = {
  /** What the test changes of the whole metric on a day. */
  readonly perDay: number;
  /** The same relative to the metric without the test; a share: 0.05 is 5 %. Undefined where there would be nothing. */
  readonly relative: number | undefined;
  /** What it would change on a day if everybody had the test. */
  readonly projectedPerDay: number;
};

/**
 * What a test does to the whole metric of the project.
 * @param delta the difference of means
 * @param total the metric of all users over the days
 * @param exposedShare the share of users who are in the test group, 0–1: allocation × size of the group
 */
export function toplineOf(
  delta: number,
  { testUnits, days, total, exposedShare }: { testUnits: number; days: number; total: number; exposedShare: number },
): Topline {
  const impact = delta * testUnits;
  const without = total - impact;
  return {
    perDay: impact / days,
    relative: without === 0 ? undefined : impact / without,
    projectedPerDay: impact / days / exposedShare,
  };
}
