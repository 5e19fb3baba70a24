import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { adjustByRegression, compareMeans, selectValues, triplesOf } from "../src/index.ts";
import { computeCrossMoments, expectClose, present } from "./support.ts";

type Case = {
  y: number[];
  /** Of each covariate, the value of each unit. */
  x: number[][];
  /** The first units are those of the control group. */
  controlUnits: number;
  expected: {
    groups: { mean: number; standardError: number; degreesOfFreedom: number }[];
    covariates: number[];
    delta: number;
    standardError: number;
    p: number;
    varianceReduction: number;
  };
  /** The error of the treatment in the interacted regression, robust against any variance of the residuals. */
  hc2: number;
};

/**
 * Made with statsmodels 0.15: the fitted mean of each group at the covariates' mean over both groups, by OLS with its usual errors, and the
 * coefficient of the treatment in the regression with interactions of Lin 2013. In two cases a covariate is a sum of others or constant.
 */
const CASES: Case[] = JSON.parse(readFileSync(new URL("regression.json", import.meta.url), "utf8"));

const momentsOf = ({ y, x, controlUnits }: Pick<Case, "y" | "x" | "controlUnits">) =>
  [
    [0, controlUnits],
    [controlUnits, y.length],
  ].map(([from, to]) => computeCrossMoments(y.slice(from, to), ...x.map((values) => values.slice(from, to))));

describe("regression adjustment", () => {
  test.each(CASES)("is that of statsmodels ($expected.delta)", ({ expected, hc2, ...units }) => {
    const [control, treated] = momentsOf(units);
    if (!control || !treated) throw new Error("There are two groups.");
    const { groups, ...adjusted } = adjustByRegression(control, treated);
    expectClose(
      { groups, ...adjusted },
      { groups: expected.groups, covariates: expected.covariates, varianceReduction: expected.varianceReduction },
      1e-9,
    );
    if (!groups) throw new Error("The groups have no means.");
    const { delta, standardError, p } = present(compareMeans(...groups));
    expectClose({ delta, standardError, p }, { delta: expected.delta, standardError: expected.standardError, p: expected.p }, 1e-9);
    expect(standardError / hc2).toBeCloseTo(1, 1);
  });

  test("has the skewness of the residuals", () => {
    const { y, x, controlUnits } = CASES[1] as Case;
    const values = [y.slice(0, controlUnits), ...x.map((one) => one.slice(0, controlUnits))];
    const cubes = triplesOf(values.length).map(([i, j, l]) =>
      Array.from({ length: controlUnits }, (_, unit) => [i, j, l].reduce((product, at) => product * (values[at]?.[unit] ?? 0), 1)).reduce(
        (a, b) => a + b,
      ),
    );
    const control = { ...computeCrossMoments(...values), cubes };
    const { groups } = adjustByRegression(control, control);
    // The mean of the cubed residuals of statsmodels' OLS.
    expect(groups?.[0].thirdMoment).toBeCloseTo(2.7041506645258164, 9);
    // Without the second covariate.
    const selected = selectValues(control, [0, 1, 3]);
    expect(selected.cubes?.[1]).toBe(cubes[1]);
    expect(selected.cubes?.at(-1)).toBe(cubes.at(-1));
    expect(selected.products[2]?.[1]).toBe(control.products[3]?.[1]);
  });

  test("uses as many covariates as the smaller group allows, in their order", () => {
    const [first] = CASES.filter(({ x }) => x.length === 5);
    if (!first) throw new Error("A case has five covariates.");
    const part = (controlUnits: number) => {
      const [control, treated] = momentsOf({
        ...first,
        y: first.y.slice(90 - controlUnits),
        x: first.x.map((one) => one.slice(90 - controlUnits)),
        controlUnits,
      });
      return control && treated && adjustByRegression(control, treated);
    };
    expect(part(45)).toMatchObject({ covariates: [0, 1, 2] });
    expect(part(41)).toMatchObject({ covariates: [0, 1, 2] });
    expect(part(40)).toEqual({ reason: "few_units" });
  });

  test("needs 20 units in both groups, and a covariate that varies", () => {
    const values = (count: number) => Array.from({ length: count }, (_, index) => (7 * index) % 10);
    const constant = (count: number) => Array<number>(count).fill(1e6);
    const group = (count: number, x: number[]) => computeCrossMoments(values(count), x);
    expect(adjustByRegression(group(200, values(200)), group(19, values(19)))).toEqual({ reason: "few_units" });
    expect(adjustByRegression(group(200, constant(200)), group(60, constant(60)))).toEqual({ reason: "no_covariates" });
  });
});
