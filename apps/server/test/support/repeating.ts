import type { Schema } from "@gatehouse/client";
import { HOUR_MS } from "./scheduling.ts";
import type { TestServer } from "./server.ts";

export const DAYS: Schema<"Weekday">[] = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];
export const DAY_MS = 24 * HOUR_MS;
/** A Thursday before clocks in Berlin are put forward. */
const START = Date.parse("2026-03-26T03:00Z");

/** Repeats changes in Berlin's time zone on a test's server. */
export function repeating(server: () => TestServer) {
  const setTimeZone = (timeZone: string) =>
    server().client.updateProjectSettings({ body: { name: "default", visibility: "OPEN", timeZone } });
  return {
    setTimeZone,

    /** Before each test: nothing of another one waits. */
    async begin() {
      const { client, clock } = server();
      const { data: waiting } = await client.listScheduledChanges({ query: { status: "SCHEDULED" } });
      for (const { id } of waiting) await client.cancelScheduledChange({ path: { id } });
      clock.now = Math.max(START, clock.now);
      await setTimeZone("Europe/Berlin");
    },

    /** The next nine o'clock in Berlin. */
    nextNine(): number {
      const { now } = server().clock;
      const hour = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/Berlin", hour: "2-digit" });
      for (let time = Math.ceil(now / HOUR_MS) * HOUR_MS; ; time += HOUR_MS) if (time > now && hour.format(time) === "09") return time;
    },

    /** Lets time pass, and makes what is due. */
    async passTo(time: number): Promise<void> {
      server().clock.now = time;
      await server().applyDue();
    },
  };
}
