import { DAY_MS } from "../../common/utc-day.ts";
import { type Chain, type EventSource, isActivity, type Marker, type Return, type Step } from "../plans/plan.ts";
import { activityRows } from "./activity.ts";
import type { Analysis } from "./analysis.ts";
import { dayNumber } from "./day-number.ts";
import type { Dialect } from "./dialect.ts";
import type { Bind } from "./statement.ts";
import { isOfEvent, isWithin } from "./term-columns.ts";

type Days = Pick<Analysis, "days" | "earlierDays" | "end">;

/** The events that a marker follows from, unless that is any event. */
export function eventsOfMarker(marker: Marker): readonly EventSource[] {
  if (marker.marks === "day" || isActivity(marker)) return [];
  return "steps" in marker.of ? marker.of.steps.flat() : marker.of.step;
}

/** The tables of markers, and `hit`: the events of `happened` with the rows of markers, which have no name and the number of their marker. */
export function markedRows(markers: readonly Marker[], preMs: number, days: Days, dialect: Dialect, bind: Bind): string {
  const names = new Map<string, string>();
  const tables: string[] = [];
  for (const marker of markers) {
    if (marker.marks === "day" || isActivity(marker) || names.has(JSON.stringify(marker.of))) continue;
    const name = `marked${names.size}`;
    names.set(JSON.stringify(marker.of), name);
    tables.push(`${name} as (${"steps" in marker.of ? completedChain(marker.of, dialect, bind) : returnTable(marker.of, dialect, bind)})`);
  }
  const rows = markers.map((marker, index) => {
    const from =
      marker.marks === "day"
        ? daysSince(preMs, days, dialect, bind)
        : isActivity(marker)
          ? activityRows(marker, dialect, bind)
          : selectRows(marker, names.get(JSON.stringify(marker.of)) ?? "", bind);
    return `select unit, age, ${dayNumber(`"time"`, days, dialect, bind)} as day, "time", id, '' as "name", '' as "value", '' as "metadata", '' as "userFields",
    ${index + 1} as mark from (${from}) as marked where "time" < ${bind.integer(days.end)}`;
  });
  return `${tables.map((table) => `${table},\n`).join("")}hit ${dialect.inlined} (
  select unit, age, day, "time", id, "name", "value", "metadata", "userFields", 0 as mark from happened
  union all ${rows.join("\n  union all ")}
)`;
}

/** The beginning of each day since the first exposure, and of days before it. */
function daysSince(preMs: number, { days, end }: Days, dialect: Dialect, bind: Bind): string {
  const [start = end] = days;
  const first = -Math.ceil(preMs / DAY_MS);
  const offsets = Array.from({ length: Math.ceil((end - start) / DAY_MS) - first }, (_, index) => (first + index) * DAY_MS);
  return `select unit, ms as age, since + ms as "time", 0 as id from (select unit, since, ${dialect.each(bind.integers(offsets))} as ms from unit) as day`;
}

function selectRows(marker: Extract<Marker, { of: object }>, table: string, bind: Bind): string {
  switch (marker.marks) {
    case "start":
      return `select unit, age, "time", id from ${table}`;
    case "completion": {
      const { withinMs } = marker.of;
      const inTime = withinMs === null ? "" : ` and completed - "time" <= ${bind.integer(withinMs)}`;
      return `select unit, age + completed - "time" as age, completed as "time", id from ${table} where completed is not null${inTime}`;
    }
    case "due":
      return `select unit, age, "time", id from ${table}`;
    case "returned":
      return `select unit, age, "time", id from ${table} where is_back = 1`;
  }
}

const matches = (step: Step, dialect: Dialect, bind: Bind) => `(${step.map((source) => isOfEvent(source, dialect, bind)).join(" or ")})`;

/**
 * The first steps, each with the time when all others have followed it in their order. Steps before the first exposure are a separate
 * chain. It is computed from the last step back: a step is completed when the first completed one of the next steps is.
 */
function completedChain({ steps, span, isStrict }: Chain, dialect: Dialect, bind: Bind): string {
  const last = steps.length - 1;
  const frame = isStrict
    ? `order by "time" range between 1 following and unbounded following`
    : `order by "time", id rows between 1 following and unbounded following`;
  let from = `select unit, age, "time", id, case when age < 0 then 1 else 0 end as is_early${steps
    .map((step, index) => `, ${matches(step, dialect, bind)} as step${index}`)
    .join("")} from happened as hit where age < 0 or ${isWithin(span, bind)}`;
  from = `select *, case when step${last} then "time" end as completed${last} from (${from}) as stepping`;
  for (let index = last - 1; index >= 0; index--)
    from = `select *, case when step${index} then min(completed${index + 1}) over (partition by unit, is_early ${frame}) end as completed${index}
    from (${from}) as stepping`;
  return `select unit, age, "time", id, completed0 as completed from (${from}) as stepping where step0`;
}

/** The time at which it is known of a unit whether it has come back, and whether it has. */
function returnTable({ step, span, fromMs, toMs }: Return, dialect: Dialect, bind: Bind): string {
  const began = `select unit, age, "time", min(case when ${isWithin(span, bind)} then "time" end) over (partition by unit) as began
    from happened as hit where age >= 0 and ${matches(step, dialect, bind)}`;
  const isBack = `"time" >= began + ${bind.integer(fromMs)} and "time" < began + ${bind.integer(toMs)}`;
  return `select unit, min(age - "time") + began + ${bind.integer(toMs)} as age, began + ${bind.integer(toMs)} as "time", 0 as id,
    max(case when ${isBack} then 1 else 0 end) as is_back from (${began}) as step where began is not null group by unit, began`;
}
