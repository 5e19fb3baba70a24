import { type Amount, distinctMarkers, distinctTerms, type Plan, type Term } from "../plans/plan.ts";
import type { Analysis } from "./analysis.ts";
import { arrivals } from "./arrivals.ts";
import { assigned } from "./assignments.ts";
import { andComplete } from "./compared-units.ts";
import { dayNumber } from "./day-number.ts";
import type { Dialect } from "./dialect.ts";
import { dimensionColumn, dimensionValue } from "./dimension.ts";
import { withEventNumbers } from "./event-numbers.ts";
import { exposures } from "./exposed.ts";
import { DAYS, DAYS_BEFORE, foldColumns } from "./fold-columns.ts";
import { eventColumns, loggedTable, unitIDColumn } from "./logged.ts";
import { markedRows } from "./marked.ts";
import { type Measure, measureTables, SUMS, toMeasure } from "./measures.ts";
import { loggedRows, sourceTables } from "./source-rows.ts";
import { type Bind, parametersFor, type Statement } from "./statement.ts";

/** A row of the answer. `metric` is the index of the plan, `day` counts from 1. */
export type MomentsRow = { metric: number; grp: string; dim: string | null; day: number } & Record<(typeof SUMS)[number], number>;

/** The statement that answers the moments of several metrics in one pass over the events. All plans have the same `preMs`. */
export function momentsQuery(plans: readonly Plan[], analysis: Analysis, dialect: Dialect): Statement {
  const shards = isOfUsersAlone(plans, analysis) ? dialect.shards : undefined;
  if (shards === undefined) return momentsStatement(plans, analysis, dialect);
  const { text, parameters } = momentsStatement(plans, analysis, shards.dialect);
  return { text: addedUp(shards.each(text), dialect), parameters };
}

/**
 * Whether each user's addition to the moments is independent of others, so that the moments of some users and of others add up to those of
 * all. The bounds of outliers follow from all units.
 */
function isOfUsersAlone(plans: readonly Plan[], { idType, units, sources }: Analysis): boolean {
  const isBounded = ({ bounds }: Amount) => Object.keys(bounds).length > 0;
  return (
    idType.toLowerCase() === "userid" &&
    units === undefined &&
    sources === undefined &&
    !plans.some(({ numerator, denominator }) => isBounded(numerator) || (denominator && isBounded(denominator)))
  );
}

function addedUp(rows: string, dialect: Dialect): string {
  return `select metric, grp, dim, day, ${SUMS.map((name) => `${dialect.double(`sum(${name})`)} as ${name}`).join(", ")}
from ${rows} as moved
group by metric, grp, dim, day order by metric, grp, dim, day`;
}

function momentsStatement(plans: readonly Plan[], analysis: Analysis, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const { tables, measures } = runningTables(plans, analysis, dialect, bind);
  const parts = [...new Set(measures.map(({ waits }) => waits))].map((waits, index) =>
    measureTables(
      measures.filter((measure) => measure.waits === waits),
      waits,
      index,
      { analysis, dialect, bind },
    ),
  );
  const text = `
with ${tables},
${parts.map(({ tables: own }) => own).join(",\n")}
${addedUp(`(${parts.map(({ rows }) => rows).join("\nunion all\n")})`, dialect)}`;
  return { text, parameters: bind.parameters };
}

/** The tables up to `running`, which has the numbers of each unit as of the end of its days, and the measures that read them. */
export function runningTables(
  plans: readonly Plan[],
  analysis: Analysis,
  dialect: Dialect,
  bind: Bind,
): { tables: string; measures: Measure[] } {
  const preMs = Math.max(...plans.map((plan) => plan.preMs));
  const terms = distinctTerms(plans);
  const markers = distinctMarkers(terms);
  const numbers = withEventNumbers(terms, dialect, bind);
  const folds = terms.map((term, index) => foldColumns(term, index, { preMs, markers }, numbers.reading, bind));
  const names = new Map(terms.map((term, index) => [JSON.stringify(term), index]));
  const termNumber = (term: Term) => names.get(JSON.stringify(term)) as number;
  const measures = plans.map((plan, index) => toMeasure(plan, index, termNumber, dialect, bind));
  const tables = `${sourceTables(terms, analysis, dialect)}${unitsTable(analysis, dialect, bind)},
${hitsTable(terms, preMs, analysis, dialect, bind)},
counted ${dialect.inlined} (select unit, day, age, "time", id${list(folds.flatMap(({ counted }) => counted))} from ${numbers.table()} ${dialect.once}),
prepared ${dialect.inlined} (select unit, day, age, "time", id${list(folds.flatMap(({ prepared }) => prepared))} from counted),
daily ${dialect.inlined} (
  select unit, ${DAY_OF_UNIT} as day${list(folds.flatMap(({ daily }) => daily))} from prepared group by unit, ${DAY_OF_UNIT}
),
running ${dialect.shared} (
  select unit, day, ${dialect.beside("lead", "day", DAYS, "days_before")} is null as is_last${list(folds.flatMap(({ running }) => running))}
  from daily window days_before as (${DAYS_BEFORE})
)`;
  return { tables, measures };
}

/** Day 0 is all that is before the first exposure. */
const DAY_OF_UNIT = "case when age < 0 then 0 else day end";

const list = (columns: string[]) => columns.map((column) => `, ${column}`).join("");

/**
 * Each unit once, with its group and its first exposure. Units that saw two groups are left out, and so are those that saw theirs before the
 * start.
 */
export function unitsTable({ dimension, days, end, exposureSource, units, ...scope }: Analysis, dialect: Dialect, bind: Bind): string {
  if (typeof units === "string")
    return `unit ${dialect.shared} (
  select id, row_number() over () as unit, grp, since, delay, ${dimension ? dimensionValue("dim", dimension, dialect, bind) : "dim"} as dim
  from ${dialect.unitRows(bind.text(units))}
)`;
  const startTime = days[0] ?? 0;
  if (units) return entered(assigned(units, end, dialect, bind), { startTime, dim: "null::text", isComplete: "" }, dialect, bind);
  const dim = dimension === undefined ? "null::text" : dimensionColumn(dimension, dialect, bind);
  const within = { ...scope, startTime, endTime: end };
  const isComplete = exposureSource.type === "events" ? "" : andComplete(exposureSource, startTime, "unit", "min(grp)", dialect, bind);
  const entering =
    exposureSource.type === "events"
      ? arrivals(within, dialect, bind)
      : exposures({ ...within, exposureSource: exposureSource }, dialect, bind);
  return entered(entering, { startTime, dim, isComplete }, dialect, bind);
}

type Entering = { startTime: number; dim: string; isComplete: string };

function entered(exposed: string, { startTime, dim, isComplete }: Entering, dialect: Dialect, bind: Bind): string {
  return `unit ${dialect.shared} (
  select unit as id, row_number() over () as unit, min(grp) as grp, min("time") as since, ${dim} as dim
  from (${exposed}) as exposure
  group by unit having min(grp) = max(grp) and min("time") >= ${bind.integer(startTime)}${isComplete}
)`;
}

/** The events of the units, from `preMs` before the first exposure on. Their age is that since the unit counts, or that before the exposure. */
export function hitsTable(
  terms: readonly Term[],
  preMs: number,
  { projectID, exposureSource, idType, days, earlierDays, end, units, sources }: Analysis,
  dialect: Dialect,
  bind: Bind,
): string {
  const markers = distinctMarkers(terms);
  const since = (days[0] ?? 0) - preMs;
  // Events are kept of units that were shown something.
  const readsKept = exposureSource.type !== "events";
  const logged = sources
    ? loggedRows(terms, sources, { since, end }, dialect, bind)
    : loggedTable(terms, { projectID, since, readsKept }, dialect, bind);
  // A warehouse's rows have the id that their source maps to the type.
  const unitID = sources ? `event."userID"` : unitIDColumn(idType, dialect, bind);
  const age = `event."time" - unit.since`;
  const isEarlier = `event."time" < unit.since`;
  const isDelayed = typeof units === "string" && preMs > 0;
  const earliest = `unit.since - ${bind.integer(preMs)}`;
  return `${logged},
${markers.length > 0 ? "happened as" : `hit ${dialect.inlined}`} (
  select unit.unit, ${isDelayed ? `${age} + case when ${isEarlier} then unit.delay else 0 end` : age} as age, ${dayNumber(`event."time"`, { days, earlierDays }, dialect, bind)} as day, ${eventColumns(terms)}
  from logged as event join unit on unit.id = ${unitID}
  where event."time" < ${bind.integer(end)} and event."time" >= ${earliest}${isDelayed ? ` - unit.delay and not (${isEarlier} and event."time" >= unit.since - unit.delay)` : ""}
)${markers.length > 0 ? `,\n${markedRows(markers, preMs, { days, earlierDays, end }, dialect, bind)}` : ""}`;
}
