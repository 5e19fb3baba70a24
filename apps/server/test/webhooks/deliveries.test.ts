import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteOldDeliveries, webhooks } from "../../src/jobs/webhooks.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

const HOUR_MS = 60 * 60 * 1_000;

let server: TestServer;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let count = 0;
beforeAll(async () => {
  server = await startServer();
  receiver = await startReceiver();
});
afterAll(async () => {
  receiver.close();
  await server.close();
});

const env = (at = server) => ({ database: at.database, log: at.log, now: () => server.clock.now });
const deliver = (at = server) => webhooks.run(env(at));

/** A webhook for events about gates, at a path of its own. */
async function subscribe(given: object = {}) {
  const path = `/${++count}`;
  const body = { name: `webhook ${count}`, url: receiver.url(path), entityTypes: ["gate" as const], ...given };
  const { id } = (await server.client.createWebhook({ body })).data;
  return {
    ...{ id, path },
    received: () => receiver.at(path),
    /** The entity and version of each message. */
    versions: () => receiver.at(path).map(({ body: { data } }) => `${data.entityID} ${data.version}`),
    deliveries: async () => (await server.client.listWebhookDeliveries({ path: { id } })).data,
    read: async () => (await server.client.getWebhook({ path: { id } })).data,
  };
}

const makeGate = async () => (await server.client.createGate({ body: { name: `gate ${++count}` } })).data.id;
const describeGate = (id: string, description: string) => server.client.patchGate({ path: { id }, body: { description } });

test("A webhook gets each event after its creation, signed, with what the audit log says about it", async () => {
  const gate = await makeGate();
  const webhook = await subscribe({ entityTypes: [] });
  await server.client.patchGate({ path: { id: gate }, body: { description: "New." }, query: { reason: "It failed." } });
  await deliver();
  await deliver();
  const [entry] = (await server.client.listAuditLogs({ query: { limit: 1 } })).data;
  const [message, ...others] = webhook.received();
  expect(others).toEqual([]);
  const id = `${webhook.id}_${entry?.id}_${server.clock.now}`;
  const { secret } = (await server.client.getWebhookSecret({ path: { id: webhook.id } })).data as { secret: string };
  expect(message?.headers).toMatchObject({
    ...{ "content-type": "application/json", "webhook-id": id, "webhook-timestamp": String(server.clock.now / 1_000) },
    // The server's clock is a test's, and the library compares with the real one.
    "webhook-signature": new Webhook(secret).sign(id, new Date(server.clock.now), message?.text ?? ""),
  });
  expect(message?.body).toEqual({
    type: "gate.updated",
    timestamp: new Date(server.clock.now).toISOString(),
    data: {
      ...{ projectID: "default", seq: Number(entry?.id), time: server.clock.now, entityType: "gate", entityID: gate, version: 2 },
      ...{ action: "updated", actionType: entry?.actionType, operationID: "patchGate", entityName: entry?.name, reason: "It failed." },
      ...{ actorID: entry?.updatedByUserID, actorName: entry?.updatedBy, actorEmail: null },
      ...{ address: entry?.address, userAgent: entry?.userAgent, requestID: entry?.requestID },
      fields: [{ field: "description", before: "", after: "New.", isCut: false }],
      fieldCount: 1,
    },
  });
  expect(await webhook.deliveries()).toEqual([
    {
      ...{ id, seq: Number(entry?.id), entityType: "gate", entityID: gate, action: "updated", eventTime: server.clock.now },
      ...{ status: "DELIVERED", attempts: 1, nextAttemptTime: null, lastAttemptTime: server.clock.now },
      ...{ responseStatus: 204, responseBody: "", reason: null },
    },
  ]);
  await server.client.deleteWebhook({ path: { id: webhook.id } });
});

test("An event waits until earlier ones about the same entity are delivered, and not for those about others", async () => {
  const webhook = await subscribe();
  let isBroken = true;
  receiver.answer(webhook.path, (response, { body }) => {
    const isRefused = isBroken && body.data.entityID === first;
    response.writeHead(isRefused ? 503 : 200).end(isRefused ? "busy\u0000" : "ok");
  });
  const first = await makeGate();
  await describeGate(first, "one");
  const second = await makeGate();
  await describeGate(second, "two");
  await deliver();
  expect(webhook.versions()).toEqual([`${first} 1`, `${second} 1`, `${second} 2`]);
  const pending = (await webhook.deliveries()).at(-1);
  expect(pending).toMatchObject({ status: "PENDING", attempts: 1, nextAttemptTime: server.clock.now + 5_000 });
  expect(pending).toMatchObject({ responseStatus: 503, responseBody: "busy", reason: "It answered 503." });
  isBroken = false;
  server.clock.now += 5_000;
  await deliver();
  expect(webhook.versions().slice(3)).toEqual([`${first} 1`, `${first} 2`]);
  const ids = webhook.received().map(({ headers }) => headers["webhook-id"]);
  expect([ids[3], new Set(ids).size]).toEqual([ids[0], 4]);
});

test("Two servers share the events, and send each one once", async () => {
  const webhook = await subscribe();
  const gates = await Promise.all(Array.from({ length: 30 }, makeGate));
  const replica = await server.replica();
  await Promise.all([deliver(), deliver(replica)]);
  await replica.close();
  await deliver();
  expect(webhook.versions().sort()).toEqual(gates.map((id) => `${id} 1`).sort());
});

test("Another server sends an event again if the one that began to has noted no outcome at the end of its lease", async () => {
  const webhook = await subscribe();
  const gate = await makeGate();
  let release = () => {};
  receiver.answer(webhook.path, (response) => {
    release = () => response.writeHead(200).end();
  });
  const running = deliver();
  await expect.poll(() => webhook.received().length).toBe(1);
  receiver.answer(webhook.path, (response) => response.writeHead(200).end());
  await deliver();
  expect(webhook.received()).toHaveLength(1);
  server.clock.now += 60_000;
  await deliver();
  expect(webhook.versions()).toEqual([`${gate} 1`, `${gate} 1`]);
  release();
  await running;
  expect(await webhook.deliveries()).toMatchObject([{ status: "DELIVERED", attempts: 1 }]);
});

test("A slow receiver does not hold up the events for others", async () => {
  const slow = await subscribe();
  const fast = await subscribe();
  const responses: ServerResponse[] = [];
  receiver.answer(slow.path, (response) => responses.push(response));
  const gate = await makeGate();
  const running = deliver();
  await expect.poll(() => fast.versions()).toEqual([`${gate} 1`]);
  await describeGate(gate, "one more");
  await expect.poll(() => fast.versions()).toEqual([`${gate} 1`, `${gate} 2`]);
  expect(slow.versions()).toEqual([`${gate} 1`]);
  receiver.answer(slow.path, (response) => response.writeHead(200).end());
  for (const response of responses) response.writeHead(200).end();
  await running;
  expect(slow.versions()).toEqual([`${gate} 1`, `${gate} 2`]);
});

test("A server sends to 50 webhooks at once, and then to those that waited", async () => {
  const all: Awaited<ReturnType<typeof subscribe>>[] = [];
  for (let index = 0; index < 55; index++) all.push(await subscribe({ entityTypes: ["segment"] }));
  const responses: ServerResponse[] = [];
  for (const { path } of all) receiver.answer(path, (response) => responses.push(response));
  await server.client.createSegment({ body: { name: "testers", type: "id_list" } });
  const running = deliver();
  await expect.poll(() => responses.length).toBe(50);
  for (const { path } of all) receiver.answer(path, (response) => response.writeHead(200).end());
  for (const response of responses) response.writeHead(200).end();
  await running;
  expect(all.map(({ versions }) => versions())).toEqual(all.map(() => ["testers 1"]));
});

test("An event that fails is sent again with growing pauses, and the webhook is disabled after 24 hours without a success", async () => {
  const webhook = await subscribe();
  receiver.answer(webhook.path, (response) => response.writeHead(302, { Location: "/elsewhere" }).end());
  const gate = await makeGate();
  await describeGate(gate, "waits");
  const began = server.clock.now;
  const pauses: number[] = [];
  for (;;) {
    await deliver();
    const due = (await webhook.deliveries()).at(-1)?.nextAttemptTime ?? null;
    if (due === null) break;
    pauses.push((due - server.clock.now) / 1_000);
    server.clock.now = due;
  }
  expect(pauses.slice(0, 11)).toEqual([5, 5, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560]);
  expect(new Set(pauses.slice(11))).toEqual(new Set([3_600]));
  expect([webhook.received().length, server.clock.now - began >= 24 * HOUR_MS]).toEqual([pauses.length + 1, true]);

  const disabledReason = "The URL accepted no event for 24 hours.";
  expect(await webhook.read()).toMatchObject({ isEnabled: false, disabledReason, version: 2, lastModifierID: "system" });
  const [entry] = (await server.client.listAuditLogs({ query: { limit: 1 } })).data;
  expect(entry).toMatchObject({
    operationID: "disableFailingWebhook",
    entityType: "webhook",
    entityID: webhook.id,
    reason: disabledReason,
  });
  expect(await webhook.deliveries()).toMatchObject([
    { status: "FAILED", attempts: 0, reason: "The webhook was disabled." },
    { status: "FAILED", attempts: pauses.length + 1, reason: "It answered 302." },
  ]);

  const again = (await webhook.deliveries())[1]?.id ?? "";
  const redeliver = () => server.client.redeliverWebhookEvent({ path: { id: webhook.id, deliveryID: again } });
  expect(await refusal(redeliver())).toMatchObject({ status: 409, message: `Webhook ${webhook.id} is disabled. Enable it first.` });
  await describeGate(gate, "nobody hears of it");
  await deliver();
  receiver.answer(webhook.path, (response) => response.writeHead(200).end());
  const { data } = await server.client.patchWebhook({ path: { id: webhook.id }, body: { isEnabled: true } });
  expect(data).toMatchObject({ isEnabled: true, disabledReason: null, version: 3 });
  await describeGate(gate, "heard again");
  await redeliver();
  await deliver();
  expect(webhook.versions().slice(pauses.length + 1)).toEqual([`${gate} 1`, `${gate} 4`]);
});

test("An event that a receiver refuses for 24 hours is given up, and later ones about the entity follow", async () => {
  const webhook = await subscribe();
  const [bad, good] = [await makeGate(), await makeGate()];
  receiver.answer(webhook.path, (response, { body }) => {
    response.writeHead(body.data.entityID === bad && body.data.version === 1 ? 400 : 200).end();
  });
  await describeGate(bad, "follows");
  await deliver();
  server.clock.now += 24 * HOUR_MS - 1;
  await describeGate(good, "a success");
  await deliver();
  expect(webhook.versions()).toEqual([`${bad} 1`, `${good} 1`, `${bad} 1`, `${good} 2`]);
  server.clock.now += HOUR_MS;
  await deliver();
  expect(webhook.versions().slice(4)).toEqual([`${bad} 1`, `${bad} 2`]);
  expect((await webhook.read()).isEnabled).toBe(true);
});

test("A delivery can be sent again, at once and with the same id", async () => {
  const webhook = await subscribe();
  const gate = await makeGate();
  receiver.answer(webhook.path, (response) => response.writeHead(500).end());
  await deliver();
  const id = (await webhook.deliveries())[0]?.id ?? "";
  receiver.answer(webhook.path, (response) => response.writeHead(200).end());
  for (const status of ["PENDING", "DELIVERED"] as const) {
    expect((await server.client.listWebhookDeliveries({ path: { id: webhook.id }, query: { status } })).data).toHaveLength(1);
    await server.client.redeliverWebhookEvent({ path: { id: webhook.id, deliveryID: id } });
    await deliver();
  }
  expect(webhook.versions()).toEqual([`${gate} 1`, `${gate} 1`, `${gate} 1`]);
  expect(new Set(webhook.received().map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([id]));
  const missing = server.client.redeliverWebhookEvent({ path: { id: webhook.id, deliveryID: "missing" } });
  expect(await refusal(missing)).toMatchObject({ status: 404 });
});

test("Deliveries are listed for 30 days after their end", async () => {
  const webhook = await subscribe();
  await makeGate();
  await deliver();
  server.clock.now += 30 * 24 * HOUR_MS;
  await deleteOldDeliveries.run(env());
  expect(await webhook.deliveries()).toHaveLength(1);
  server.clock.now += 1;
  await deleteOldDeliveries.run(env());
  expect(await webhook.deliveries()).toEqual([]);
});
