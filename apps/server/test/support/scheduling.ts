import type { Schema } from "@gatehouse/client";
import type { TestServer } from "./server.ts";

export const HOUR_MS = 3_600_000;

/** Schedules changes on a test's server, and makes them. */
export function scheduling(server: () => TestServer) {
  let count = 0;
  const read = async (id: string) => (await server().client.getScheduledChange({ path: { id } })).data;
  return {
    read,

    isEnabled: async (id: string) => (await server().client.getGate({ path: { id } })).data.isEnabled,

    /** A gate that is off, and is going to be enabled in an hour. */
    async scheduleEnabling(query: { reason?: string } = {}) {
      const { client, clock } = server();
      const { id } = (await client.createGate({ body: { name: `scheduled ${++count}`, isEnabled: false } })).data;
      const { data, etag = "" } = await client.schedule.enableGate({ path: { id }, query: { ...query, applyAt: clock.now + HOUR_MS } });
      return { id, change: data, etag };
    },

    /** Lets time pass until a change is due, and makes it. */
    async pass(change: Schema<"ScheduledChange">) {
      const { clock, applyDue } = server();
      clock.now = Math.max(clock.now, change.applyAt);
      await applyDue();
      return read(change.id);
    },
  };
}
