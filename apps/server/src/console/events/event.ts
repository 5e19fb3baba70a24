import type { Schema } from "@gatehouse/contract/console";

export type Event = Schema<"Event">;
/** A name of events, with their count. */
export type EventName = Schema<"EventName">;
/** A day with the number of events of a name that arrived. */
export type EventCount = Schema<"EventCount">;
/** The requested events of a name. */
export type EventFilter = { userID?: string; entityID?: string };
