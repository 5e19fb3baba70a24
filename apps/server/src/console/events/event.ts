import type { Schema } from "@gatehouse/contract/console";

export type Event = Schema<"Event">;
/** A name under which events are kept. */
export type EventName = Schema<"EventName">;
