import type { Schema } from "@gatehouse/contract/console";

export type Event = Schema<"Event">;
/** A name of events, with their count. */
export type EventName = Schema<"EventName">;
