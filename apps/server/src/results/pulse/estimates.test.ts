import { describe, expect, test } from "vitest";
import { SUMS } from "../sql/measures.ts";
import { estimateGroups } from "./estimates.ts";
import { NOTHING, type Sums } from "./sums.ts";

/** A unit's numerator and denominator, and both before its first exposure. */
type Unit = { y: number; d: number; p: number; q: number };

const COUNTS: Record<string, (unit: Unit) => number> = { n: () => 1, k: ({ d }) => (d === 0 ? 0 : 1), m: ({ p }) => (p === 0 ? 0 : 1) };

/** The sums over units. Their names are the products that they sum. */
function sumUnits(count: number, draw: (index: number) => Unit): Sums {
  const units = Array.from({ length: count }, (_, index) => draw(index));
  const product = (name: string) => (unit: Unit) => [...name].reduce((value, letter) => value * unit[letter as keyof Unit], 1);
  const sum = (name: string) => units.map(COUNTS[name] ?? product(name)).reduce((total, value) => total + value, 0);
  return { ...NOTHING, ...Object.fromEntries(SUMS.map((name) => [name, sum(name)])) };
}

describe("CUPED is left out", () => {
  test("of a ratio if a group has fewer than 100 units, which get the verdict of the ratio as it is", () => {
    const visits = (index: number): Unit => {
      const [d, q, level] = [1 + (index % 3), 1 + ((7 * index) % 3), 5 + ((5 * index) % 11)];
      return { y: d * level, d, p: q * level, q };
    };
    const estimate = (count: number) =>
      estimateGroups(
        { control: sumUnits(120, visits), test: sumUnits(count, visits), others: [], isRatio: true },
        { isCupedAsked: true, alpha: 0.05 },
      );
    expect(estimate(100).cuped.varianceReduction).toBeGreaterThan(0.5);
    expect(estimate(99).cuped).toEqual({ reason: "few_units" });
    expect(estimate(99).lack(0.05)).toBeUndefined();
  });

  test("of a proportion if the score test lacks successes", () => {
    const buyers = (index: number): Unit => ({ y: index % 3 === 0 ? 1 : 0, d: 0, p: index % 5 < 2 ? 1 : 0, q: 0 });
    const estimate = (count: number) =>
      estimateGroups(
        { control: sumUnits(990, buyers), test: sumUnits(count, buyers), others: [], isRatio: false },
        { isCupedAsked: true, alpha: 0.2 },
      );
    expect(estimate(10).cuped).toEqual({ reason: "few_successes" });
    expect(estimate(10).lack(0.2)?.reason).toBe("notEnoughSuccesses");
  });
});
