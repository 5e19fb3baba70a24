import { criticalValue, studentQuantile } from "./difference.ts";
import { normalQuantile } from "./distributions.ts";
import type { Estimate } from "./moments.ts";
import { errorAtRatio, type Proportion } from "./proportions.ts";

// Effects that a test finds with the data at hand. None of this uses the effect that was seen.

export type Detection = {
  /** The critical value of the test, as a normal deviate. */
  readonly z: number;
  /** The chance to find the effect, 0.5–1. */
  readonly power: number;
  /** The direction of the effect. Without it, the larger of both sizes is taken. */
  readonly direction?: "more" | "less" | undefined;
  /** How many times as many units of the same kind both groups have. Default: 1. */
  readonly growth?: number;
};

const STEPS = 100;

/** The zero of a function that begins below 0, by bisection. Undefined if it is still below 0 at `most`. */
function findRoot(distance: (at: number) => number, most: number): number | undefined {
  if (!(distance(most) >= 0)) return undefined;
  let [below, above] = [0, most];
  for (let step = 0; step < STEPS; step++) {
    const middle = (below + above) / 2;
    if (distance(middle) < 0) below = middle;
    else above = middle;
  }
  return above;
}

/**
 * The smallest true difference of two proportions that the score test with Yates' correction c finds: the root of δ − c = z·SE₀(δ) +
 * z(power)·SE₁(δ). SE₀ is the pooled error of the test, SE₁ the error of the true proportions. The control's proportion is taken as it is.
 * Sources: Casagrande, Pike, Smith 1978; Fleiss, Tytun, Ury 1980.
 */
export function detectableProportions(control: Proportion, test: Proportion, detection: Detection): number | undefined {
  const { z, power, direction, growth = 1 } = detection;
  const [nc, nt] = [control.units * growth, test.units * growth];
  const rate = control.successes / control.units;
  const correction = (1 / nc + 1 / nt) / 2;
  const sizeTo = (sign: 1 | -1) =>
    findRoot(
      (size) => {
        const other = rate + sign * size;
        const pooled = (nc * rate + nt * other) / (nc + nt);
        const error = Math.sqrt(Math.max(0, pooled * (1 - pooled) * (1 / nc + 1 / nt)));
        const trueError = Math.sqrt(Math.max(0, (rate * (1 - rate)) / nc + (other * (1 - other)) / nt));
        return size - correction - z * error - normalQuantile(power) * trueError;
      },
      sign === 1 ? 1 - rate : rate,
    );
  if (direction) return sizeTo(direction === "more" ? 1 : -1);
  const sizes = [sizeTo(1), sizeTo(-1)].filter((size) => size !== undefined);
  return sizes.length > 0 ? Math.max(...sizes) : undefined;
}

type Margin = Detection & { /** Whether the margin allows the test to be less than the control. */ isBelow: boolean };

/**
 * The smallest margin, as a difference, that two groups with the same mean keep. It is the root of M = (t(1 − α) + t(power))·√(vt +
 * r²vc) with r = 1 ∓ M/|x̄c|. Source: Kieser, Hauschke 1999, for the test of Hauschke, Kieser, Diletti, Hothorn 1999.
 */
export function detectableMargin(
  control: Estimate,
  test: Estimate,
  { z, power, isBelow, growth = 1, degreesOfFreedom }: Margin & { degreesOfFreedom: number },
): number | undefined {
  const size = Math.abs(control.mean);
  const degrees = degreesOfFreedom * growth;
  const errors = criticalValue(z, degrees) + studentQuantile(power, degrees);
  const [vc, vt] = [control.standardError ** 2 / growth, test.standardError ** 2 / growth];
  const distance = (margin: number) => margin - errors * Math.sqrt(vt + ratioAt(margin / size, isBelow) ** 2 * vc);
  return findRoot(distance, isBelow ? size : LARGEST_MARGIN * size);
}

/** If less is better, the margin is above the control mean. Beyond that many times its size, margins are meaningless. */
const LARGEST_MARGIN = 10;

const ratioAt = (share: number, isBelow: boolean): number => 1 + (isBelow ? -share : share);

/**
 * The same for proportions, by the score test against a ratio. Source: Farrington, Manning 1990.
 */
export function detectableMarginOfProportions(
  control: Proportion,
  test: Proportion,
  { z, power, isBelow, growth = 1 }: Margin,
): number | undefined {
  const rate = control.successes / control.units;
  const of = (units: number): Proportion => ({ units, successes: units * rate });
  const [c, t] = [of(control.units * growth), of(test.units * growth)];
  const distance = (share: number) => {
    const ratio = ratioAt(share, isBelow);
    const correction = 0.5 / t.units + (ratio * 0.5) / c.units;
    const trueError = Math.sqrt(rate * (1 - rate) * (1 / t.units + ratio ** 2 / c.units));
    return share * rate - correction - z * errorAtRatio(c, t, ratio) - normalQuantile(power) * trueError;
  };
  const share = findRoot(distance, isBelow ? 1 : LARGEST_MARGIN);
  return share === undefined ? undefined : share * rate;
}
