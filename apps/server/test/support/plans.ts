import type { Chain, Plan, Return, Step, Term } from "../../src/results/plans/plan.ts";
import { DAY_MS } from "./moments.ts";

export const one: Term = {
  sources: [{ event: "buy", criteria: [], number: { of: "one" } }],
  fold: { by: "sum" },
  span: { from: 0, to: null },
};
const value: Term = { ...one, sources: [{ event: "buy", criteria: [], number: { of: "value" } }] };
const items: Term = { ...one, sources: [{ event: "buy", criteria: [], number: { of: "metadata", key: "items" } }] };
export const mean = (term: Term, rest: Partial<Plan> = {}): Plan => ({
  numerator: { terms: [term], bounds: {} },
  waitsForSpan: false,
  preMs: 7 * DAY_MS,
  ...rest,
});
const ratio = (numerator: Term, denominator: Term): Plan => ({ ...mean(numerator), denominator: { terms: [denominator], bounds: {} } });

const step = (event: string, rest: Partial<Step[number]> = {}): Step => [{ event, criteria: [], number: { of: "one" }, ...rest }];
const always = { from: 0, to: null };
const chain: Chain = { steps: [step("view"), step("buy")], span: always, withinMs: null, isStrict: false };
const funnel = (of: Chain, by: "any" | "sum" = "any") =>
  ratio(
    { sources: [{ marks: "completion", of }], fold: { by }, span: of.span },
    { sources: [{ marks: "start", of }], fold: { by }, span: of.span },
  );
const retention = (of: Return) =>
  ratio(
    { sources: [{ marks: "returned", of }], fold: { by: "any" }, span: always },
    { sources: [{ marks: "due", of }], fold: { by: "any" }, span: always },
  );
const days3 = { from: DAY_MS, to: 4 * DAY_MS };
const dayTerm = (span: Term["span"]): Term => ({ sources: [{ marks: "day" }], fold: { by: "sum" }, span });

const active = (withinDays: number): Term => ({ sources: [{ marks: "active", withinDays }], fold: { by: "sum" }, span: always });

/** A plan for each way to compute metrics. */
export const PLANS: Record<string, Plan> = {
  "a count": mean(one),
  "a sum": mean(value),
  "a sum of a key in the metadata": mean(items),
  "a sum with a cap for each day": mean({ ...value, cap: 20 }),
  participation: mean({ ...one, fold: { by: "any" } }),
  days: mean({ ...one, fold: { by: "days" } }),
  "different texts": mean({ ...one, fold: { by: "distinct", key: "item" } }),
  "the largest": mean({ ...value, fold: { by: "max" } }),
  "the smallest": mean({ ...value, fold: { by: "min" } }),
  "the first": mean({ ...value, fold: { by: "first" } }),
  "the latest": mean({ ...value, fold: { by: "latest" } }),
  "whether a sum reaches a threshold": mean({ ...value, threshold: 30 }),
  "a window from the third day on": mean({ ...value, span: { from: 2 * DAY_MS, to: 4 * DAY_MS } }),
  "units whose window is over": mean({ ...value, span: { from: 0, to: 3 * DAY_MS } }, { waitsForSpan: true }),
  "two events": mean({ ...one, sources: [...one.sources, { event: "view", criteria: [], number: { of: "one" } }] }),
  "two terms": { ...mean(one), numerator: { terms: [one, { ...items, fold: { by: "any" } }], bounds: {} } },
  "deviations of a sum": mean(value, { bases: { y: 10, p: 4.5 } }),
  "deviations of a ratio": { ...ratio(value, one), bases: { y: 3.25, p: 0.5 } },
  "a ratio": ratio(value, one),
  "the share of days with an event": ratio({ ...one, fold: { by: "days" } }, dayTerm(always)),
  "the share of days within a window": ratio({ ...one, fold: { by: "days" }, span: days3 }, dayTerm(days3)),
  "units that complete a funnel": funnel(chain),
  "how often a funnel is completed": funnel(chain, "sum"),
  "a funnel within a window": funnel({ ...chain, span: { from: 0, to: 5 * DAY_MS } }),
  "a funnel whose steps follow within a day": funnel({ ...chain, withinMs: DAY_MS }, "sum"),
  "a funnel of three steps, one of which is either of two events": funnel(
    { ...chain, steps: [step("view"), [...step("buy"), ...step("view")], step("buy")] },
    "sum",
  ),
  "a funnel whose steps may not share a millisecond": funnel({ ...chain, steps: [step("buy"), step("buy")], isStrict: true }, "sum"),
  "a funnel whose steps may share a millisecond": funnel({ ...chain, steps: [step("buy"), step("buy")] }, "sum"),
  "completions of all exposed units": mean({ sources: [{ marks: "completion", of: chain }], fold: { by: "any" }, span: always }),
  "units that come back on the next two days": retention({ step: step("buy"), span: always, fromMs: DAY_MS, toMs: 3 * DAY_MS }),
  "units that come back after a first event in a window": retention({ step: step("buy"), span: days3, fromMs: DAY_MS, toMs: 2 * DAY_MS }),
  "the share of days on which units are active": ratio(active(1), dayTerm(always)),
  "the share of days on which units are active within three days": ratio(active(3), dayTerm(always)),
  "the share of days on which units are active within a month": ratio(active(28), dayTerm(always)),
  "active days by days active within a week": ratio(active(1), active(7)),
  "a winsorised sum": { ...mean(value), numerator: { terms: [value], bounds: { low: 0.1, high: 0.8 } } },
  "a winsorised sum of units whose window is over": {
    ...mean({ ...value, span: { from: 0, to: 3 * DAY_MS } }, { waitsForSpan: true }),
    numerator: { terms: [{ ...value, span: { from: 0, to: 3 * DAY_MS } }], bounds: { low: 0.2, high: 0.7 } },
  },
  "a ratio of winsorised sums": {
    ...ratio(value, items),
    numerator: { terms: [value], bounds: { high: 0.9 } },
    denominator: { terms: [items], bounds: { high: 0.7 } },
  },
  ...Object.fromEntries(
    (
      [
        ["in", ["a", "b"]],
        ["not_in", ["a", "b"]],
        ["=", ["a"]],
        ["contains", ["b", "zz"]],
        ["not_contains", ["b"]],
        ["starts_with", ["a"]],
        ["ends_with", ["c"]],
        ["is_null", []],
        ["non_null", []],
      ] as const
    ).map(([condition, values]) => [
      `events with the criterion ${condition}`,
      mean({
        ...one,
        sources: [
          { event: "buy", criteria: [{ type: "metadata", column: "item", condition, values: [...values] }], number: { of: "one" } },
        ],
      }),
    ]),
  ),
  ...Object.fromEntries(
    ([">", "<", ">=", "<="] as const).map((condition) => [
      `events with the criterion ${condition}`,
      mean({ ...value, sources: [{ event: "buy", criteria: [{ type: "value", condition, values: ["7"] }], number: { of: "value" } }] }),
    ]),
  ),
  "events of users of a country": mean({
    ...one,
    sources: [{ event: "buy", criteria: [{ type: "user", column: "Country", condition: "in", values: ["NO"] }], number: { of: "one" } }],
  }),
};
