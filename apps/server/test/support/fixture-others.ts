import { startLogin } from "./device-logins.ts";
import { byID, type Fixture } from "./fixture-entities.ts";
import type { TestServer } from "./server.ts";

/** Comments on new gates, notes on their results, logins of devices, and scheduled changes to new gates. */
export const otherMakers: Record<string, (server: TestServer, name: string) => Promise<Fixture>> = {
  "/console/v1/comments/{id}": async ({ client }, name) => {
    const { id } = (await client.createGate({ body: { name } })).data;
    const body = { entityType: "gate", entityID: id, text: "Is the new page translated?" } as const;
    return byID("comment", (await client.createComment({ body })).data.id);
  },
  "/console/v1/result_notes/{id}": async ({ client, clock }, name) => {
    const { id } = (await client.createGate({ body: { name } })).data;
    const body = { entityType: "gate", entityID: id, time: clock.now, text: "Marketing campaign began" } as const;
    return byID("result_note", (await client.createResultNote({ body })).data.id);
  },
  "/console/v1/device_logins/{id}": async (server) => {
    const { userCode } = await startLogin(server);
    const { id } = await server.database.prisma.deviceLogin.findUniqueOrThrow({ where: { userCode: userCode.replace("-", "") } });
    return byID("device_login", id);
  },
  "/console/v1/scheduled_changes/{id}": async ({ client, clock }, name) => {
    const { id } = (await client.createGate({ body: { name } })).data;
    const query = { applyAt: clock.now + 60_000 };
    return byID("scheduled_change", (await client.schedule.patchGate({ path: { id }, body: { description: "Later." }, query })).data.id);
  },
};
