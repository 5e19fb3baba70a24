import { notifications } from "../../src/jobs/notifications.ts";
import type { Colleague } from "./reviewing.ts";
import type { TestServer } from "./server.ts";

export const PROJECT = { id: "default" };

/** Creates an alert of a person that is raised when fewer than five orders arrive in an hour. @returns its ID */
export async function makeOrdersAlert(server: TestServer, { client }: Colleague): Promise<string> {
  await server.client.createMetric({ body: { name: "Orders", type: "event_count_custom", metricEvents: [{ name: "order" }] } });
  const { data } = await client.createAlert({
    body: {
      ...{ name: "Orders fell", message: "", alertType: "threshold", metrics: { A: { id: "Orders::event_count_custom" } } },
      ...{ condition: "less", alertThreshold: 5, windowMs: 3_600_000, priority: "P1" },
    },
  });
  return data.id;
}

/** Notifies people on a test's server, and reads what they got. */
export function notifying(server: () => TestServer) {
  const env = (at = server()) => ({ database: at.database, log: at.log, now: () => server().clock.now });
  const read = async ({ client }: Colleague, query: { unread?: boolean } = {}) =>
    (await client.listNotifications({ path: PROJECT, query: { ...query, limit: 100 } })).data;
  return {
    read,

    /** Runs the job on a server. */
    notify: (at?: TestServer) => notifications.run(env(at)),

    /** Runs the job, and reads the texts of the person's unread notifications, the latest first. */
    async texts(person: Colleague): Promise<string[]> {
      await notifications.run(env());
      return (await read(person, { unread: true })).map(({ text }) => text);
    },

    /** Marks everything of a person as read. */
    async clear(person: Colleague): Promise<void> {
      await notifications.run(env());
      const [latest] = await read(person);
      if (latest) await person.client.markNotifications({ path: PROJECT, body: { isRead: true, until: latest.id } });
    },
  };
}
