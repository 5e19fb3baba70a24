import { type CrossMoments, triplesOf } from "@gatehouse/statistics";
import type { Plan } from "../plans/plan.ts";
import type { Analysis } from "./analysis.ts";
import type { Dialect } from "./dialect.ts";
import { clipped, type Measure, measureTables } from "./measures.ts";
import { runningTables } from "./moments-query.ts";
import { type Bind, parametersFor, type Statement } from "./statement.ts";

/**
 * A row of the answer. `metric` is the index of the plan, `n` counts units, `s0` is the sum of their amounts less a base, `s1` that of the first
 * covariate, `q0_1` the sum of the products of both, `t0_1_1` with one more factor, and `m1` counts units whose first covariate is not 0.
 */
export type CovariatesRow = { metric: number; grp: string; n: number } & Record<
  `s${number}` | `q${number}_${number}` | `t${number}_${number}_${number}` | `m${number}`,
  number
>;

/** A plan, and the number to subtract from the amounts of units, so that their squares keep their digits. */
export type AdjustedPlan = { plan: Plan; base: number };

/** The moments of a metric's amounts and its covariates, and the units of each covariate that have a value other than 0. */
export type CovariateMoments = CrossMoments & { units: readonly number[] };

/**
 * The statement that answers the moments of metrics and what the units' covariates were before their first exposure. No plan is a ratio, and all
 * read the same rows and the same time before the exposure. Units that wait for the end of a metric's span count for it once that is over.
 */
export function covariatesQuery(
  metrics: readonly AdjustedPlan[],
  covariates: readonly Plan[],
  analysis: Analysis,
  dialect: Dialect,
): Statement {
  const bind = parametersFor(dialect);
  // A covariate is known when a unit enters.
  const before = covariates.map((plan): Plan => ({ ...plan, waitsForSpan: false }));
  const { tables, measures } = runningTables([...metrics.map(({ plan }) => plan), ...before], analysis, dialect, bind);
  const own = measures.slice(0, metrics.length);
  const earlier = measures.slice(metrics.length);
  const waiting = [...new Set([null, ...own.map(({ waits }) => waits)])];
  const parts = waiting.map((waits, part) =>
    measureTables([...own.filter((measure) => measure.waits === waits), ...(waits === null ? earlier : [])], waits, part, {
      ...{ analysis, dialect, bind },
    }),
  );
  const rows = own.map((measure, index) =>
    selectMoments(measure, earlier, metrics[index]?.base ?? 0, waiting.indexOf(measure.waits), { dialect, bind }),
  );
  return {
    text: `\nwith ${tables},\n${parts.map((part) => part.tables).join(",\n")}\n${rows.join("\nunion all\n")}\norder by metric, grp`,
    parameters: bind.parameters,
  };
}

/** The moments of one metric. Covariates stand in the first part, whose units all enter at once. */
function selectMoments(
  measure: Measure,
  covariates: readonly Measure[],
  base: number,
  part: number,
  { dialect, bind }: { dialect: Dialect; bind: Bind },
): string {
  const { index, running, bounds } = measure;
  const amount = `coalesce(now.y, own.y${index})`;
  const inBounds = clipped(amount, bounds.y, (side) => `(select ${side}_y${index} from bound${part})`);
  const values = ["amount", ...covariates.map((covariate) => `p${covariate.index}`)];
  const sums = values.flatMap((value, i) => [
    `${dialect.double(`sum(${value})`)} as s${i}`,
    ...values.slice(i).map((other, j) => `${dialect.double(`sum(${value} * ${other})`)} as q${i}_${i + j}`),
    ...(i > 0 ? [`${dialect.double(`sum(case when ${value} <> 0 then 1 else 0 end)`)} as m${i}`] : []),
  ]);
  const cubes = triplesOf(values.length).map(
    ([i, j, l]) => `${dialect.double(`sum(${values[i]} * ${values[j]} * ${values[l]})`)} as t${i}_${j}_${l}`,
  );
  return `select ${index} as metric, grp, ${dialect.double("count(*)")} as n, ${[...sums, ...cubes].join(", ")}
from (
  select own.grp as grp, ${inBounds} - ${bind.double(base)} as amount${covariates.map((covariate) => `, before.p${covariate.index} as p${covariate.index}`).join("")}
  from entry${part} as own join entry0 as before on before.unit = own.unit
    left join (select unit, ${running.y} as y from running where is_last and day > 0) as now on now.unit = own.unit
) as valued
group by grp`;
}

/** The moments of each group, by its id. @param count of covariates */
export function covariateMoments(rows: readonly CovariatesRow[], metric: number, count: number): Record<string, CovariateMoments> {
  const values = Array.from({ length: count + 1 }, (_, index) => index);
  return Object.fromEntries(
    rows
      .filter((row) => Number(row.metric) === metric)
      .map((row) => [
        row.grp,
        {
          n: row.n,
          sums: values.map((index) => row[`s${index}`] ?? 0),
          products: values.map((i) => values.map((j) => row[`q${Math.min(i, j)}_${Math.max(i, j)}`] ?? 0)),
          cubes: triplesOf(values.length).map(([i, j, l]) => row[`t${i}_${j}_${l}`] ?? 0),
          units: values.slice(1).map((index) => row[`m${index}`] ?? 0),
        },
      ]),
  );
}
