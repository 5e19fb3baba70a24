import { afterAll, expect } from "vitest";
import type { Lack } from "../../src/index.ts";

/** The runs of each cell in the suite of the night. */
const LONG_RUNS = 20_000;

/**
 * How many runs each cell has, and how many blocks its groups are drawn from. The blocks are a population of their own, whose variance differs from
 * the true one by chance: by √(2/blocks).
 * @param short how many runs if `CALIBRATION_RUNS` is not set
 */
export function readRuns(short: number): { RUNS: number; IS_LONG: boolean; BLOCKS: number } {
  const runs = Number(process.env.CALIBRATION_RUNS ?? short);
  const isLong = runs >= LONG_RUNS;
  return { RUNS: runs, IS_LONG: isLong, BLOCKS: isLong ? 200_000 : 2_000 };
}

/** An A/A test: the data missing for a verdict at α, and whether the groups are called different. */
export type AATest = { lack(alpha: number): Lack | undefined; isCalled(alpha: number): boolean };

export const ALPHAS = [0.2, 0.1, 0.05, 0.01] as const;
/** At most so many times α may be called. */
const TARGET = 1.15;

/** How often A/A tests had a verdict, and how often it was wrong, at an α. */
type Rate = { alpha: number; runs: number; shown: number; wrong: number };
export type Cell = { name: string; rates: readonly Rate[] };

/** Counts the false positives of a cell. @param draw an A/A test; undefined if its groups cannot be compared */
export function countFalsePositives(name: string, runs: number, draw: () => AATest | undefined): Cell {
  const [cell] = countEach([name], runs, () => [draw()]);
  return cell as Cell;
}

/** Counts the false positives of several tests of the same groups. @param draw the A/A test of each name */
export function countEach(names: readonly string[], runs: number, draw: () => readonly (AATest | undefined)[]): Cell[] {
  const cells = names.map((name) => ({ name, rates: ALPHAS.map((alpha) => ({ alpha, runs, shown: 0, wrong: 0 })) }));
  for (let run = 0; run < runs; run++) {
    for (const [index, drawn] of draw().entries()) {
      if (!drawn) continue;
      for (const rate of cells[index]?.rates ?? []) {
        if (drawn.lack(rate.alpha)) continue;
        rate.shown++;
        if (drawn.isCalled(rate.alpha)) rate.wrong++;
      }
    }
  }
  return cells;
}

/** The number of standard errors that a rate of so many runs may exceed the target by due to chance. */
const CHANCE = 3;
/** If fewer tests have a verdict, they are a selection: their samples happen to lack large values. */
const MOST = 0.5;

/** Collects the cells of a test file, each of which has to meet the target. In the suite of the night, they are printed as a table at the end. */
export function expectCalibrated(title: string, isLong: boolean): (cells: readonly Cell[]) => void {
  const all: Cell[] = [];
  afterAll(() => {
    if (isLong) console.log(`${title}: false positives relative to α\n${toTable(all)}`);
  });
  return (cells) => {
    all.push(...cells);
    expect(cellsAbove(cells)).toEqual([]);
  };
}

/** The cells that miss the target: among all A/A tests, and among those with a verdict where that is most of them. */
function cellsAbove(cells: readonly Cell[]): string[] {
  return cells.flatMap(({ name, rates }) =>
    rates.flatMap((rate) => {
      const { alpha, runs, shown, wrong } = rate;
      const isAbove = (of: number) => wrong > TARGET * alpha * of + CHANCE * Math.sqrt(TARGET * alpha * of);
      return isAbove(runs) || (shown >= MOST * runs && isAbove(shown)) ? [`${name} at α = ${alpha}: ${wrong} of ${shown} shown`] : [];
    }),
  );
}

/** The false positives of each cell relative to α, among all tests and among those with a verdict, and the share of these. */
function toTable(cells: readonly Cell[]): string {
  const head = ["cell", ...ALPHAS.map((alpha) => `α = ${100 * alpha} %: all, shown (share)`)].join(" | ");
  const rows = cells.map(({ name, rates }) =>
    [
      name,
      ...rates.map(({ alpha, runs, shown, wrong }) =>
        shown === 0
          ? "no verdict"
          : `${(wrong / runs / alpha).toFixed(2)}, ${(wrong / shown / alpha).toFixed(2)} (${((100 * shown) / runs).toFixed(0)} %)`,
      ),
    ].join(" | "),
  );
  return [head, ...rows].join("\n");
}
