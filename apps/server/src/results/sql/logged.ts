import { DAY_MS, utcDay } from "../../common/utc-day.ts";
import { isActivity, type Term } from "../plans/plan.ts";
import type { Dialect, StoredTable } from "./dialect.ts";
import { eventsOfMarker } from "./marked.ts";
import type { Bind } from "./statement.ts";

const STORED_COLUMNS = ["name", "value", "metadata", "userFields", "userID", "customIDs", "id", "time", "day"]
  .map((name) => `"${name}"`)
  .join(", ");
const TEXTS = ["name", "value", "metadata", "userFields"];
/** SDKs log exposures, and diagnostics about themselves, under such names. */
export const SDK_EVENTS = "statsig::";
/** The names of exposures. */
export const EXPOSURE_EVENTS = ["gate_exposure", "config_exposure", "layer_exposure"].map((name) => `${SDK_EVENTS}${name}`);

/** The columns of an event that terms read. Activity of units reads no texts. */
export function eventColumns(terms: readonly Term[]): string {
  const sources = terms.flatMap((term) => term.sources);
  const isTimeOnly = sources.every((source) => "marks" in source && (source.marks === "day" || isActivity(source)));
  return `event."time", event."id", ${TEXTS.map((name) => (isTimeOnly ? `'' as "${name}"` : `event."${name}"`)).join(", ")}`;
}

type Scope = {
  projectID: string;
  /** The first day of events that are read begins here, ms. */
  since: number;
  /** Whether events of dropped days count that are kept for units of analyses. Not with `environments`. */
  readsKept: boolean;
  /** Only events of these environments are read, in lower case; of any if undefined. */
  environments?: readonly string[] | undefined;
  /** Only events that arrived on these days are read, from the first to the last one, in UTC. The table has the day as `arrival`. */
  arrived?: ArrivalDays;
};

export type ArrivalDays = { first: number; last: number };

/** The table `logged`: the events of a project that terms read. The time of an event is at most the end of the day of its arrival. */
export function loggedTable(
  terms: readonly Term[],
  { projectID, since, readsKept, environments, arrived }: Scope,
  dialect: Dialect,
  bind: Bind,
): string {
  const first = bind.integer(arrived?.first ?? utcDay(since));
  const names = eventNames(terms);
  const isRead = names ? dialect.isIn(`"name"`, bind.texts(names)) : `not ${dialect.startsWith(`"name"`, bind.text(SDK_EVENTS))}`;
  const isOfEnvironments = environments ? ` and ${dialect.isIn(`"environment"`, bind.texts(environments))}` : "";
  const isUntil = arrived ? ` and "day" <= ${bind.integer(arrived.last)}` : "";
  const selectEvents = (table: StoredTable) => `select ${STORED_COLUMNS} from ${dialect.table(table)}
    where "projectID" = ${bind.text(projectID)} and ${isRead} and "day" >= ${first}${isUntil}${isOfEnvironments}`;
  // While a day is stored, its events count there instead of among those that are kept.
  const kept = `${selectEvents("kept_event")} and "day" in (select "day" from ${dialect.table("dropped_event_day")} where "day" >= ${first})`;
  return `logged ${dialect.inlined} (
  select "name", "value", "metadata", "userFields", "userID", "customIDs", "id",${arrived ? ` "day" as arrival,` : ""}
    least("time", ("day" + 1)::bigint * ${bind.integer(DAY_MS)} - 1) as "time"
  from (
    ${selectEvents("event")}${readsKept ? `\n    union all ${kept}` : ""}
  ) as stored
)`;
}

/** The ID that an event's user has of a type. */
export function unitIDColumn(idType: string, dialect: Dialect, bind: Bind): string {
  return idType.toLowerCase() === "userid" ? `event."userID"` : dialect.textUnderAnyCase(`event."customIDs"`, bind.text(idType));
}

/** The names of the events that terms read; undefined if they read all events of applications. */
export function eventNames(terms: readonly Term[]): string[] | undefined {
  const sources = terms.flatMap((term) => term.sources);
  if (sources.some(isActivity)) return undefined;
  const events = sources.flatMap((source) => ("marks" in source ? eventsOfMarker(source) : [source]));
  return [...new Set(events.map(({ event }) => event))];
}
