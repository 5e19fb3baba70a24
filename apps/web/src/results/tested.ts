// How a verdict was tested, in words. Pure.
import { numberText, type PulseMetric } from "./verdicts.ts";

const QUESTIONS = { two_sided: "Two-sided", one_sided: "One-sided", non_inferiority: "Non-inferiority" };

const timesText = (updates: number): string => (updates === 1 ? "once" : `${updates} times`);

/** The test, and how often someone could have looked. Undefined without a test. @param updates of the results so far */
export function testedText({ verdict, alpha, sprt }: PulseMetric, updates: number | undefined): string | undefined {
  if (!verdict || alpha === undefined) return undefined;
  const looked = updates === undefined || updates === 0 ? "" : ` Updated ${timesText(updates)} so far.`;
  const question = QUESTIONS[verdict.testType ?? "two_sided"];
  const level = `α = ${numberText(alpha)}`;
  switch (verdict.test) {
    case "fixed":
      return `${question} test at ${level}, planned for one look at the end.${looked}`;
    case "sequential":
      return `${question} sequential test at ${level}, built for daily looks.${looked}`;
    case "plannedEnd":
      return `${question} sequential test at ${level}, with its last look at the planned end.${looked}`;
    case "sprt":
      return `Sequential probability ratio test of ${numberText(sprt?.effect ?? 0)}% at ${level}, valid at every look.${looked}`;
    case "bayesian":
      return `Bayesian: the chance of being better. Valid at any time, but false positives aren’t limited by α.${looked}`;
  }
}
