// The statistics of results, computed another way than by the package: from units' values, with numerical integrals for distributions.

const STEPS = 20_000;

/** Simpson's rule. */
function integral(f: (x: number) => number, from: number, to: number): number {
  const width = (to - from) / STEPS;
  let sum = f(from) + f(to);
  for (let step = 1; step < STEPS; step++) sum += (step % 2 === 1 ? 4 : 2) * f(from + step * width);
  return (sum * width) / 3;
}

/** Where a falling function is 0. */
function root(f: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2;
    if (f(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The two-sided p-value of Student's t: with t = √ν tan θ, its density is that of cos^(ν − 1) θ. */
export function studentP(t: number, degrees: number): number {
  const density = (angle: number) => Math.cos(angle) ** (degrees - 1);
  return integral(density, Math.atan(Math.abs(t) / Math.sqrt(degrees)), Math.PI / 2) / integral(density, 0, Math.PI / 2);
}

const normalP = (z: number): number => Math.sqrt(2 / Math.PI) * integral((x) => Math.exp((-x * x) / 2), Math.abs(z), Math.abs(z) + 20);

export const studentCritical = (alpha: number, degrees: number): number => root((t) => studentP(t, degrees) - alpha, 0, 100);
const normalCritical = (alpha: number): number => root((z) => normalP(z) - alpha, 0, 10);

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;

export function covariance(x: readonly number[], y: readonly number[]): number {
  const [meanX, meanY] = [mean(x), mean(y)];
  return sum(x.map((value, index) => (value - meanX) * ((y[index] ?? 0) - meanY))) / (x.length - 1);
}

type Tested = { delta: number; p: number; interval: [number, number] };
type Sample = { mean: number; variance: number; n: number };

const sample = (values: readonly number[]): Sample => ({ mean: mean(values), variance: covariance(values, values), n: values.length });

/** Welch's test of two groups. */
export function welch(control: Sample, test: Sample, alpha: number): Tested {
  const [c, t] = [control.variance / control.n, test.variance / test.n];
  const [delta, error] = [test.mean - control.mean, Math.sqrt(c + t)];
  const degrees = (c + t) ** 2 / (c ** 2 / (control.n - 1) + t ** 2 / (test.n - 1));
  const reach = studentCritical(alpha, degrees) * error;
  return { delta, p: studentP(delta / error, degrees), interval: [delta - reach, delta + reach] };
}

export const compareValues = (control: readonly number[], test: readonly number[], alpha: number): Tested =>
  welch(sample(control), sample(test), alpha);

/** A ratio of sums, by the residuals of its units (delta method). Only units with a denominator count. */
export function ratio(y: readonly number[], d: readonly number[]): Sample {
  const counted = [...y.keys()].filter((index) => d[index] !== 0);
  const [ys, ds] = [counted.map((index) => y[index] ?? 0), counted.map((index) => d[index] ?? 0)];
  const value = sum(ys) / sum(ds);
  const residuals = ys.map((one, index) => (one - value * (ds[index] ?? 0)) / mean(ds));
  return { mean: value, variance: covariance(residuals, residuals), n: counted.length };
}

/** Values less θ times the deviation of their covariate, with one θ for both groups. */
export function adjustByCovariate(groups: readonly { y: number[]; x: number[] }[]): number[][] {
  const [y, x] = [groups.flatMap((group) => group.y), groups.flatMap((group) => group.x)];
  const theta = covariance(x, y) / covariance(x, x);
  return groups.map((group) => group.y.map((value, index) => value - theta * ((group.x[index] ?? 0) - mean(x))));
}

/** Proportions: the chi-square test of the 2 × 2 table with Yates' correction, and the interval of the differences that it doesn't reject. */
export function compareShares(control: readonly number[], test: readonly number[], alpha: number): Tested {
  const [n, m, b, d] = [control.length, test.length, sum(control), sum(test)];
  const [a, c] = [n - b, m - d];
  const all = n + m;
  const chiSquare = (all * Math.max(0, Math.abs(a * d - b * c) - all / 2) ** 2) / (n * m * (a + c) * (b + d));
  const delta = d / m - b / n;
  const by = 0.5 / n + 0.5 / m;
  // The likeliest control share if the difference is `at`: where the likelihood no longer rises.
  const fitted = (at: number) => {
    const slope = (q: number) => b / q - a / (1 - q) + d / (q + at) - c / (1 - q - at);
    return root(slope, Math.max(0, -at) + 1e-15, Math.min(1, 1 - at) - 1e-15);
  };
  const score = (at: number) => {
    const q = fitted(at);
    const distance = Math.max(0, Math.abs(delta - at) - by);
    return distance / Math.sqrt((q * (1 - q)) / n + ((q + at) * (1 - q - at)) / m);
  };
  const z = normalCritical(alpha);
  return {
    delta,
    p: normalP(Math.sqrt(chiSquare)),
    interval: [root((at) => score(at) - z, -1 + 1e-9, delta), -root((at) => score(-at) - z, -1 + 1e-9, -delta)],
  };
}
