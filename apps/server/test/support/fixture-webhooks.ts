import { byID, type Fixture, ownProject } from "./fixture-entities.ts";
import type { TestServer } from "./server.ts";

/** Nothing listens there. */
const URL = "http://127.0.0.1:1/";

type Maker = (server: TestServer, name: string) => Promise<Fixture>;

/** What the operations on webhooks and their deliveries address. */
export const webhookMakers: Record<string, Maker> = {
  "/console/v1/webhooks/{id}/test": async ({ client }, name) =>
    byID("webhook", (await client.createWebhook({ body: { name, url: URL } })).data.id),
  "/console/v1/webhooks/{id}/deliveries/{deliveryID}": async (server, name) => {
    const { id } = (await server.client.createWebhook({ body: { name, url: URL } })).data;
    const [deliveryID, projectID] = [`${id}_1`, await ownProject(server)];
    await server.database.prisma.$executeRaw`
      insert into webhook_delivery ("projectID", "webhookID", id, seq, "entityType", "entityID", action, "eventTime", status, "endedTime")
      values (${projectID}, ${id}, ${deliveryID}, 1, 'gate', 'new_checkout', 'created', 1, 'DELIVERED', 1)`;
    return { parameters: { id, deliveryID }, table: "webhook", key: { id } };
  },
};
