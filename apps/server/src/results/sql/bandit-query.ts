import { DAY_MS, utcDay } from "../../common/utc-day.ts";
import type { EventSource, Term } from "../plans/plan.ts";
import { ALWAYS } from "../plans/plan-terms.ts";
import type { Dialect } from "./dialect.ts";
import { type Exposed, exposures } from "./exposed.ts";
import { loggedTable, SDK_EVENTS, unitIDColumn } from "./logged.ts";
import { type Bind, parametersFor, type Statement } from "./statement.ts";
import { termColumns } from "./term-columns.ts";

/** The input of a bandit: the outcomes of the units that its arms were shown to. */
export type BanditRun = Omit<Exposed, "exposureSource"> & {
  exposureSource: Extract<Exposed["exposureSource"], { type: "experiment" }>;
  idType: string;
  outcome: EventSource;
  /** The time during which outcomes count, after a unit first saw an arm, ms. */
  attributionMs: number;
};

/** A row of the answer, for an arm with counted units. */
export type BanditRow = { grp: string; units: number; outcomes: number; total: number; squares: number };

/**
 * The statement that counts, for each arm, the units with a completed attribution window and those with an outcome, and adds up the units'
 * numbers and their squares. A unit that saw several arms counts in each. An outcome counts for the arm that the unit saw last before it,
 * within the window of that arm.
 */
export function banditQuery(run: BanditRun, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const { attributionMs, startTime, endTime, projectID, outcome, idType } = run;
  const term: Term = { sources: [outcome], fold: { by: "sum" }, span: ALWAYS };
  const { number, counts } = termColumns(term, 0, [], dialect, bind);
  const window = bind.integer(attributionMs);
  const isInWindow = `credited."time" >= shown."time" and credited."time" < shown."time" + ${window}`;
  const text = `
with shown as (
  select unit, grp, min("time") as "time" from (${exposures(run, dialect, bind)}) as exposure group by unit, grp
),
showing as (
  select unit, grp, "time" from shown
  union all select unit, grp, "time" from (${repetitions(run, dialect, bind)}) as repetition
  where unit in (select unit from shown group by unit having count(*) > 1)
),
${loggedTable([term], { projectID, since: startTime, readsKept: true }, dialect, bind)},
outcome as (
  select unit, "time", id, coalesce(${number}, 0) as number from (
    select ${unitIDColumn(idType, dialect, bind)} as unit, 0 as age, event.* from logged as event where event."time" < ${bind.integer(endTime)}
  ) as hit where ${counts()}
),
credited as (
  select outcome.unit, outcome."time", outcome.id, max(outcome.number) as number,
    ${dialect.lastBy("showing.grp", [`showing."time"`, "showing.grp"], `showing."time" <= outcome."time"`)} as grp
  from outcome join showing on showing.unit = outcome.unit group by outcome.unit, outcome."time", outcome.id
),
counted as (
  select shown.unit, shown.grp, ${dialect.aggregate("count(*)", isInWindow, "0")} as outcomes,
    ${dialect.aggregate("sum(credited.number)", isInWindow, "0")} as total
  from shown left join credited on credited.unit = shown.unit and credited.grp = shown.grp
  where shown."time" + ${window} < ${bind.integer(endTime)} group by shown.unit, shown.grp
)
select grp, ${dialect.double("count(*)")} as units, ${dialect.double("sum(case when outcomes > 0 then 1 else 0 end)")} as outcomes,
  ${dialect.double("sum(total)")} as total, ${dialect.double("sum(total * total)")} as squares
from counted group by grp`;
  return { text, parameters: bind.parameters };
}

/**
 * Every time that a unit is known to have seen an arm. Of days that were dropped, only the first times are known, which is enough for units that
 * did not see an arm again after another one.
 */
function repetitions(
  { projectID, exposureSource, idType, environments, startTime, endTime }: BanditRun,
  dialect: Dialect,
  bind: Bind,
): string {
  return `select ${unitIDColumn(idType, dialect, bind)} as unit, event."ruleID" as grp,
    least(event."time", (event."day" + 1)::bigint * ${bind.integer(DAY_MS)} - 1) as "time"
  from event where event."projectID" = ${bind.text(projectID)} and event."exposed" = ${bind.text(exposureSource.id)}
    and event."name" = ${bind.text(`${SDK_EVENTS}config_exposure`)} and event."day" >= ${bind.integer(utcDay(startTime))}
    and event."time" >= ${bind.integer(startTime)} and event."time" < ${bind.integer(endTime)}
    and ${dialect.isIn(`event."ruleID"`, bind.texts(exposureSource.groupIDs))} and ${dialect.isIn(`event."environment"`, bind.texts(environments))}`;
}
