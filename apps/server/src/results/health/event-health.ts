import type { Schema } from "@gatehouse/contract/console";
import type { EventCounts } from "../sql/event-counts.ts";
import type { HealthCheck } from "./health-check.ts";
import { percentStatus, rounded } from "./health-check.ts";

type CheckedEvent = Schema<"HealthCheckEvent">;

/** Percent of a name's events whose times cannot be right, that arrive late, or that have a text in place of a number. */
const TIMES_WARNING_PERCENT = 1;
const TIMES_FAILED_PERCENT = 10;
/** Percent of a name's events that the units with most of them have together. */
const TOP_WARNING_PERCENT = 20;
const TOP_FAILED_PERCENT = 50;
/** With fewer units, a few of them have many of the events anyway. */
const MIN_UNITS = 100;
/** The most names that a check tells of, the worst first. */
const MAX_NAMES = 20;

/** Checks of the events that an experiment's metrics read. None without events. */
export function eventChecks({ idType }: Schema<"Experiment">, counts: readonly EventCounts[]): HealthCheck[] {
  if (counts.length === 0) return [];
  const crowded = counts.filter(({ units }) => units >= MIN_UNITS);
  const texts = counts.filter((one) => one.texts > 0);
  const checks = [
    times(counts.map(checkTimes)),
    ...(texts.length > 0 ? [numbers(texts.map(checkNumbers))] : []),
    ...(crowded.length > 0 ? [shares(crowded.map(checkShares))] : []),
  ];
  return checks.map(({ events, ...check }) => ({
    ...check,
    // The worst is first.
    status: events[0]?.status ?? "PASSED",
    metadata: { type: check.type, primary_id_type: idType, events: events.slice(0, MAX_NAMES) },
  }));
}

type Check = Pick<HealthCheck, "name" | "description"> & { type: string & HealthCheck["type"]; events: CheckedEvent[] };

const toPercent = (part: number, whole: number) => (100 * part) / whole;

function checkTimes({ eventName, events, future, late }: EventCounts): CheckedEvent {
  const [futurePercent, latePercent] = [toPercent(future, events), toPercent(late, events)];
  const status = percentStatus(Math.max(futurePercent, latePercent), TIMES_WARNING_PERCENT, TIMES_FAILED_PERCENT);
  return { eventName, status, events, futurePercent, latePercent };
}

function times(all: CheckedEvent[]): Check {
  const about = { name: "Times of the events", type: "has_plausible_event_times" } as const;
  const events = all.toSorted((a, b) => worstTime(b) - worstTime(a));
  const [worst] = events;
  if (!worst || worst.status === "PASSED")
    return {
      ...about,
      events,
      description: "At least 99% of the events of each name happened on the day on which they arrived, or on the day before.",
    };
  const { eventName, futurePercent = 0, latePercent = 0 } = worst;
  const description =
    futurePercent >= latePercent
      ? `${rounded(futurePercent)}% of the events ${eventName} have a time after the day on which they arrived. They count at the end of that day: set the clocks of the devices that send them.`
      : `${rounded(latePercent)}% of the events ${eventName} arrived more than a day after they happened. They change the results of past days.`;
  return { ...about, events, description };
}

const worstTime = ({ futurePercent = 0, latePercent = 0 }: CheckedEvent) => Math.max(futurePercent, latePercent);

function checkNumbers({ eventName, events, texts }: EventCounts): CheckedEvent {
  const textPercent = toPercent(texts, events);
  return { eventName, status: percentStatus(textPercent, TIMES_WARNING_PERCENT, TIMES_FAILED_PERCENT), events, textPercent };
}

function numbers(all: CheckedEvent[]): Check {
  const events = all.toSorted((a, b) => (b.textPercent ?? 0) - (a.textPercent ?? 0));
  const { eventName, textPercent = 0 } = events[0] as CheckedEvent;
  const description = `${rounded(textPercent)}% of the events ${eventName} have a text where a metric reads a number. They add nothing to it. Send numbers such as 12.5, without commas and units.`;
  return { name: "Numbers of the events", type: "has_numeric_values", events, description };
}

function checkShares({ eventName, events, units, top }: EventCounts): CheckedEvent {
  const topPercent = toPercent(
    top.reduce((sum, one) => sum + one.events, 0),
    events,
  );
  return {
    eventName,
    status: percentStatus(topPercent, TOP_WARNING_PERCENT, TOP_FAILED_PERCENT),
    events,
    units,
    topPercent,
    topUnits: top,
  };
}

function shares(all: CheckedEvent[]): Check {
  const about = { name: "Units with many events", type: "has_plausible_event_counts" } as const;
  const events = all.toSorted((a, b) => (b.topPercent ?? 0) - (a.topPercent ?? 0));
  const [worst] = events;
  if (!worst || worst.status === "PASSED") return { ...about, events, description: "No three units have 20% of the events of a name." };
  const { eventName, topPercent = 0, topUnits = [], units = 0 } = worst;
  const named = topUnits.map(({ unitID, events: count }) => `${shortened(unitID)} (${count.toLocaleString("en-US")})`).join(", ");
  const description = `${topUnits.length} of ${units.toLocaleString("en-US")} units have ${rounded(topPercent)}% of the events ${eventName}: ${named}. They may be bots and can dominate the results.`;
  return { ...about, events, description };
}

const LONGEST_ID = 40;

const shortened = (unitID: string) => (unitID.length > LONGEST_ID ? `${unitID.slice(0, LONGEST_ID)}…` : unitID);
