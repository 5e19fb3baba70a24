import type { Interval } from "./difference.ts";
import { normalQuantile } from "./distributions.ts";
import { type Maybe, none, some } from "./maybe.ts";
import type { Estimate } from "./moments.ts";

type Mean = Pick<Estimate, "mean" | "standardError">;

/** A difference relative to the control mean. All of it as a share: 0.05 is 5%. */
export type Lift = {
  readonly lift: number;
  readonly standardError: number;
  /** By the delta method: symmetric, and too short where the control mean is uncertain. */
  readonly interval: Interval;
  /** The half width of the interval of the difference, relative to the control mean: as if that were known. */
  readonly simpleHalfWidth: number;
  /** Fieller's interval: exact, not symmetric, and without bounds where the control mean may be 0. */
  readonly fieller: Maybe<Interval>;
};

/**
 * The lift of the test over the control. A negative control mean counts by its absolute value, so that more is a positive lift.
 * Sources: delta method, Deng, Knoblich, Lu 2018, arXiv 1803.06336; Fieller 1954.
 */
export function estimateLift(control: Mean, test: Mean, { confidence }: { confidence: number }): Maybe<Lift> {
  if (control.mean === 0) return none("control_mean_zero");
  const [vc, vt] = [control.standardError ** 2, test.standardError ** 2];
  const size = Math.abs(control.mean);
  const lift = (test.mean - control.mean) / size;
  const z = -normalQuantile((1 - confidence) / 2);
  const standardError = Math.sqrt(vt / size ** 2 + (test.mean ** 2 * vc) / size ** 4);
  return some({
    lift,
    standardError,
    interval: [lift - z * standardError, lift + z * standardError],
    simpleHalfWidth: (z * Math.sqrt(vc + vt)) / size,
    fieller: fiellerInterval(control, test, z),
  });
}

/** The roots r of (x̄t − r x̄c)² = z²(vt + r² vc), less 1. */
export function fiellerInterval(control: Mean, test: Mean, z: number): Maybe<Interval> {
  const [vc, vt] = [control.standardError ** 2, test.standardError ** 2];
  const square = control.mean ** 2 - z ** 2 * vc;
  if (square <= 0) return none("control_mean_uncertain");
  const middle = control.mean * test.mean;
  const root = Math.sqrt(middle ** 2 - square * (test.mean ** 2 - z ** 2 * vt));
  const [lower, upper] = [(middle - root) / square - 1, (middle + root) / square - 1];
  return some(control.mean > 0 ? [lower, upper] : [-upper, -lower]);
}
