import { expect, test } from "vitest";
import { DAY_MS } from "../../common/utc-day.ts";
import type { Chain, PercentilePlan, Plan, Return, Span } from "./plan.ts";
import { type Windows, windowsOf, withWindows } from "./windows.ts";

const days = (from: number, to: number | null): Span => ({ from: from * DAY_MS, to: to === null ? null : to * DAY_MS });
const windows = (given: Parameters<typeof windowsOf>[0]) => windowsOf(given) as Windows;
const step = [{ event: "buy", criteria: [], number: { of: "one" } as const }];

test.each<[string, Span, Parameters<typeof windowsOf>[0], Span]>([
  ["without an end gets the default one", days(0, null), { defaultRollupWindow: 7 }, days(0, 7)],
  ["keeps its own end in place of the default one", days(1, 3), { defaultRollupWindow: 7 }, days(1, 3)],
  ["ends at the latest with the time of each unit", days(1, 9), { cohortedAnalysisDuration: 5 }, days(1, 5)],
  ["that is shorter stays", days(0, 2), { cohortedAnalysisDuration: 5 }, days(0, 2)],
  ["with both ends with the earlier one", days(0, null), { defaultRollupWindow: 7, cohortedAnalysisDuration: 5 }, days(0, 5)],
])("a window %s", (_, span, settings, expected) => {
  const percentile: PercentilePlan = { percentile: 0.9, sources: step, span, waitsForSpan: false };
  expect(withWindows(percentile, windows(settings))).toEqual({ ...percentile, span: expected });
});

test("funnels and retention have their windows bounded, and the denominator as the numerator", () => {
  const span = days(0, null);
  const chain: Chain = { steps: [step, step], span, withinMs: null, isStrict: false };
  const again: Return = { step, span, fromMs: DAY_MS, toMs: 2 * DAY_MS };
  const plan = (end: Span): Plan => ({
    numerator: { terms: [{ sources: [{ marks: "completion", of: { ...chain, span: end } }], fold: { by: "any" }, span: end }], bounds: {} },
    denominator: { terms: [{ sources: [{ marks: "due", of: { ...again, span: end } }], fold: { by: "any" }, span: end }], bounds: {} },
    waitsForSpan: false,
    preMs: 0,
  });
  expect(withWindows(plan(span), windows({ defaultRollupWindow: 3 }))).toEqual(plan(days(0, 3)));
});

test("units wait for the end of windows if the experiment says so, and windows stay as they are without settings", () => {
  const percentile: PercentilePlan = { percentile: 0.9, sources: step, span: days(0, 2), waitsForSpan: false };
  expect(withWindows(percentile, windows({ cohortWaitUntilEndToInclude: true }))).toEqual({ ...percentile, waitsForSpan: true });
  expect(windowsOf({ cohortWaitUntilEndToInclude: false })).toBeUndefined();
});
