import type { Schema } from "@gatehouse/contract/console";
import { DAY_MS, utcDay } from "../../common/utc-day.ts";
import type { EventSource } from "../plans/plan.ts";
import { meetsAll } from "./criteria.ts";
import type { Dialect } from "./dialect.ts";
import { type Exposed, exposures } from "./exposed.ts";
import { unitIDColumn } from "./logged.ts";
import { type Bind, parametersFor, type Statement } from "./statement.ts";
import { experimentUnitSource } from "./unit-source.ts";

/** The events of a name that units of an experiment had. */
export type EventCounts = {
  eventName: string;
  events: number;
  /** Events with a time after the day on which they arrived, and events from more than a day before it. */
  future: number;
  late: number;
  /** Events with a text where a metric reads a number. */
  texts: number;
  /** How many units had them, and those that had most. */
  units: number;
  top: { unitID: string; events: number }[];
};

/** How many of the units that had most events of a name are listed. */
const TOP_UNITS = 3;
/** The most events that are read. */
const MAX_EVENTS = 1_000_000;

export type Arrived = Pick<Exposed, "projectID" | "environments" | "startTime" | "endTime"> & {
  /** The first day of arrival whose events are read, in UTC and counted from the epoch, by the name of the events. */
  firstDays: ReadonlyMap<string, number>;
  /** The events whose numbers metrics read. */
  numbers: readonly EventSource[];
};

/** A row of the answer: one of the units that had most events of a name, with the numbers of all units. */
export type EventCountsRow = {
  name: string;
  unit: string;
  unit_events: number;
} & Record<"events" | "future" | "late" | "texts" | "units", number>;

/** The statement that counts the events of an experiment's units by the day of their arrival. There must be days to read. */
export function eventCounts(experiment: Schema<"Experiment">, { firstDays, numbers, ...scope }: Arrived, dialect: Dialect): Statement {
  const bind = parametersFor(dialect);
  const { exposureSource, idType } = experimentUnitSource(experiment);
  const day = `"day"::bigint * ${bind.integer(DAY_MS)}`;
  const counted = (condition: string) => `sum(case when ${condition} then 1 else 0 end)`;
  const all = (expression: string) => dialect.double(`sum(${expression}) over (partition by "name")`);
  const text = `
with arrived as (
  select "name", ${unitIDColumn(idType, dialect, bind)} as unit, "time" - ${day} as after, ${isTextIn(numbers, dialect, bind)} as is_text from event
  where "projectID" = ${bind.text(scope.projectID)} and "day" <= ${bind.integer(utcDay(scope.endTime - 1))} and ${isOfDays(firstDays, dialect, bind)}
  limit ${MAX_EVENTS}
),
tally as (
  select "name", unit, count(*) as events, ${counted(`after >= ${bind.integer(DAY_MS)}`)} as future,
    ${counted(`after < ${bind.integer(-DAY_MS)}`)} as late, ${counted("is_text = 1")} as texts
  from arrived group by "name", unit
)
select "name", unit, ${dialect.double("unit_events")} as unit_events, events, future, late, texts, units
from (
  select "name", unit, events as unit_events, row_number() over (partition by "name" order by events desc, unit) as position,
    ${all("events")} as events, ${all("future")} as future, ${all("late")} as late, ${all("texts")} as texts, ${all("1")} as units
  from tally where unit in (select unit from (${exposures({ ...scope, exposureSource }, dialect, bind)}) as exposure)
) as ranked
where position <= ${bind.integer(TOP_UNITS)} order by "name", position`;
  return { text, parameters: bind.parameters };
}

/** Whether an event arrived on one of the days that are read of its name. */
function isOfDays(firstDays: Arrived["firstDays"], dialect: Dialect, bind: Bind): string {
  const tests = [...new Set(firstDays.values())].map((first) => {
    const names = [...firstDays].flatMap(([name, day]) => (day === first ? [name] : []));
    return `("day" >= ${bind.integer(first)} and ${dialect.isIn(`"name"`, bind.texts(names))})`;
  });
  return `(${tests.join(" or ")})`;
}

/** Whether an event has a text other than a number where one is read, as 1 or 0. An event without any text has no number on purpose. */
function isTextIn(numbers: readonly EventSource[], dialect: Dialect, bind: Bind): string {
  const columns = { value: `event."value"`, metadata: `event."metadata"`, userFields: `event."userFields"` };
  const tests = numbers.flatMap(({ event, criteria, number }) => {
    if (number.of === "one") return [];
    const text = number.of === "value" ? columns.value : dialect.textUnder(columns.metadata, bind.text(number.key));
    const isRead = `event."name" = ${bind.text(event)} and ${meetsAll(criteria, columns, dialect, bind)}`;
    return [`(${isRead} and ${text} <> '' and ${dialect.numberIn(text)} is null)`];
  });
  return tests.length === 0 ? "0" : `case when ${tests.join(" or ")} then 1 else 0 end`;
}

export function toEventCounts(rows: readonly EventCountsRow[]): EventCounts[] {
  const byName = new Map<string, EventCounts>();
  for (const { name, unit: unitID, unit_events, ...all } of rows) {
    const known = byName.get(name) ?? { eventName: name, ...all, top: [] };
    byName.set(name, { ...known, top: [...known.top, { unitID, events: unit_events }] });
  }
  return [...byName.values()];
}
