// Copied rows beside those of the warehouse, by day and event. Pure.

import type { Answer, Schema } from "../../api.ts";
import { exact, signOf } from "../../charts/format.ts";

type Listed = Answer<"listIngestionEventDeltas">["data"];

/** How many rows of an event there are on a day. */
export type Delta = Schema<"IngestionDelta">;

/** The most that are shown at once. */
export const MOST_SHOWN = 500;

/** One for each day and event, the latest day first. */
export function listDeltas(listed: Listed): Delta[] {
  const items: readonly (Delta | Schema<"IngestionDeltasOfDate">)[] = listed;
  const deltas = items.flatMap((item) => ("events" in item ? item.events.map((one) => ({ ...one, date: item.date })) : [item]));
  return deltas.toSorted((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0));
}

/** How many more rows the warehouse had than were copied, with its sign: −2, 0, +3. */
export function formatDifference({ external_count, internal_count }: Pick<Delta, "external_count" | "internal_count">): string {
  const difference = external_count - internal_count;
  return `${signOf(difference)}${exact(Math.abs(difference))}`;
}
