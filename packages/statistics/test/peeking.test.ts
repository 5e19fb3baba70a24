import { describe, expect, test } from "vitest";
import {
  confidenceSequence,
  type Estimate,
  estimateDifference,
  estimateMoments,
  type Moments,
  mixtureTest,
  sequentialLift,
  sprt,
  testDifference,
} from "../src/index.ts";
import { present } from "./support.ts";

// A/A tests: two groups without a difference, looked at again and again. Seeded, so a run is like the one before.

const EXPERIMENTS = 20_000;
const LOOKS = 14;
const UNITS_PER_LOOK = 50;
const ALPHA = 0.05;
const CONFIDENCE = 1 - ALPHA;

/** Numbers between 0 and 1. Source: mulberry32 of T. Ettinger, in the public domain. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const next = numbers(14);

/** The moments of a group with further units, whose values are normal. */
function grown({ n, sum, sumSquares }: Moments): Moments {
  let [total, squares] = [sum, sumSquares];
  for (let pair = 0; pair < UNITS_PER_LOOK / 2; pair++) {
    const [length, angle] = [Math.sqrt(-2 * Math.log(1 - next())), 2 * Math.PI * next()];
    const [first, second] = [length * Math.cos(angle), length * Math.sin(angle)];
    total += first + second;
    squares += first * first + second * second;
  }
  return { n: n + UNITS_PER_LOOK, sum: total, sumSquares: squares };
}

const EMPTY: Moments = { n: 0, sum: 0, sumSquares: 0 };

/** How each test decides at a look. */
const TESTS = {
  fixed: (control: Estimate, test: Estimate) =>
    testDifference(present(estimateDifference(control, test)), { confidence: CONFIDENCE }).p < ALPHA,
  mixture: (control: Estimate, test: Estimate) => mixtureTest(control, test, test.mean - control.mean, { alpha: ALPHA }).p < ALPHA,
  sequence(control: Estimate, test: Estimate) {
    const { delta, standardError } = present(estimateDifference(control, test));
    return confidenceSequence({ delta, standardError, n: control.units + test.units }, { alpha: ALPHA }).p < ALPHA;
  },
  /** Each direction has half of α. */
  ratio(control: Estimate, test: Estimate) {
    const { delta, standardError } = present(estimateDifference(control, test));
    const units = { controlUnits: control.units, testUnits: test.units };
    return sprt({ statistic: delta / standardError, ...units }, { effect: 0.2, alpha: ALPHA / 2, beta: 0.2 }).decision === "significant";
  },
  /** The test is worse by 10%, which is all that a guardrail allows. */
  guardrail(control: Estimate, test: Estimate) {
    const { interval } = present(
      sequentialLift({ ...control, mean: control.mean + 5 }, { ...test, mean: test.mean + 4.5 }, { alpha: ALPHA }),
    );
    return interval[1] < -0.1;
  },
};
type Name = keyof typeof TESTS;
const NAMES = Object.keys(TESTS) as Name[];

/** How often each test found something, at any look and at the last one. */
function simulate(): { ever: Record<Name, number>; last: Record<Name, number> } {
  const [ever, last] = [
    { fixed: 0, mixture: 0, sequence: 0, ratio: 0, guardrail: 0 },
    { fixed: 0, mixture: 0, sequence: 0, ratio: 0, guardrail: 0 },
  ];
  for (let experiment = 0; experiment < EXPERIMENTS; experiment++) {
    let [control, test] = [EMPTY, EMPTY];
    const found = new Set<Name>();
    for (let look = 1; look <= LOOKS; look++) {
      [control, test] = [grown(control), grown(test)];
      const [c, t] = [present(estimateMoments(control)), present(estimateMoments(test))];
      for (const name of NAMES) {
        if (look < LOOKS && found.has(name)) continue;
        if (!TESTS[name](c, t)) continue;
        found.add(name);
        if (look === LOOKS) last[name] += 1;
      }
    }
    for (const name of found) ever[name] += 1;
  }
  return { ever, last };
}

describe(`${EXPERIMENTS} A/A tests of ${LOOKS} looks`, () => {
  const { ever, last } = simulate();
  const expected = EXPERIMENTS * ALPHA;
  /** Four standard deviations of a binomial number. */
  const band = 4 * Math.sqrt(EXPERIMENTS * ALPHA * (1 - ALPHA));

  test("the test with a fixed horizon finds a share of α at the planned end", () => {
    expect(Math.abs(last.fixed - expected)).toBeLessThan(band);
  });

  test("looking at it again and again finds several times as much, which is why the others exist", () => {
    expect(ever.fixed).toBeGreaterThan(3 * expected);
  });

  test.each(["mixture", "sequence", "ratio", "guardrail"] as const)(
    "the sequential test by %s finds less than α, however often somebody looks",
    (name) => {
      expect(ever[name]).toBeLessThan(expected);
      expect(ever[name]).toBeGreaterThan(0);
    },
  );
});
