import type { Dialect } from "./dialect.ts";
import { eventsOfMarker } from "./marked.ts";
import type { Term } from "./plan.ts";
import { DAY_MS } from "./plan-terms.ts";
import type { Bind } from "./statement.ts";

/** The columns of an event that terms read. */
export const EVENT_COLUMNS = ["time", "id", "name", "value", "metadata", "userFields"].map((name) => `event."${name}"`).join(", ");

/**
 * The table `logged`: the events of a project that terms read, from the day of a time on. The time of an event is at most the end of the day
 * of its arrival.
 */
export function loggedOf(
  terms: readonly Term[],
  { projectID, since }: { projectID: string; since: number },
  dialect: Dialect,
  bind: Bind,
): string {
  return `logged as not materialized (
  select "name", "value", "metadata", "userFields", "userID", "customIDs", "id",
    least("time", ("day" + 1)::bigint * ${bind.integer(DAY_MS)} - 1) as "time"
  from event
  where "projectID" = ${bind.text(projectID)} and ${dialect.isIn(`"name"`, bind.texts(eventNames(terms)))} and "day" >= ${bind.integer(Math.floor(since / DAY_MS))}
)`;
}

/** The ID that an event's user has of a type. */
export function unitIDOf(idType: string, dialect: Dialect, bind: Bind): string {
  return idType.toLowerCase() === "userid" ? `event."userID"` : dialect.textUnderAnyCase(`event."customIDs"`, bind.text(idType));
}

/** The names of the events that terms read. */
export function eventNames(terms: readonly Term[]): string[] {
  const sources = terms.flatMap((term) => term.sources).flatMap((source) => ("marks" in source ? eventsOfMarker(source) : [source]));
  return [...new Set(sources.map(({ event }) => event))];
}
