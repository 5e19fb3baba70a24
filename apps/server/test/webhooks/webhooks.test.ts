import { createConsoleClient } from "@gatehouse/client";
import { entityTypes, type Schema, type WritableSchema } from "@gatehouse/contract/console";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { webhooks } from "../../src/jobs/webhooks.ts";
import { makeKey } from "../support/keys.ts";
import { makePerson } from "../support/people.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

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

const deliver = () => webhooks.run({ database: server.database, log: server.log, now: () => server.clock.now });

async function create(given: Partial<WritableSchema<"WebhookCreate">> = {}) {
  const path = `/${++count}`;
  const { id } = (await server.client.createWebhook({ body: { name: `webhook ${count}`, url: receiver.url(path), ...given } })).data;
  return { id, path, types: () => receiver.at(path).map(({ body }) => body.type) };
}

describe("filters of a webhook", () => {
  test("leave events about the types and with the actions that it names", async () => {
    const [all, ofType, ofAction, ofBoth] = await Promise.all([
      create(),
      create({ entityTypes: ["tag", "dynamic_config"] }),
      create({ actions: ["created", "deleted"] }),
      create({ entityTypes: ["gate"], actions: ["updated"] }),
    ]);
    // The webhooks hear of those that were created after them.
    await deliver();
    const before = all.types().length;
    const { id } = (await server.client.createGate({ body: { name: "filtered" } })).data;
    await server.client.patchGate({ path: { id }, body: { tags: ["new tag"] } });
    await server.client.deleteGate({ path: { id } });
    await deliver();
    expect(all.types().slice(before).sort()).toEqual(["gate.created", "gate.deleted", "gate.updated", "tag.created"]);
    expect(ofType.types()).toEqual(["tag.created"]);
    expect(
      ofAction
        .types()
        .filter((type) => !type.startsWith("webhook"))
        .sort(),
    ).toEqual(["gate.created", "gate.deleted", "tag.created"]);
    expect(ofBoth.types()).toEqual(["gate.updated"]);
  });

  test("can name every type of entity that a project has, and events such as refused requests", async () => {
    const types = entityTypes.filter((type) => type !== "person" && type !== "project");
    const webhook = await create({ entityTypes: [...types, "permission"], actions: ["recorded"] });
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    await server.send("POST", "/console/v1/gates", { key, body: { name: "refused" } });
    await deliver();
    expect(webhook.types()).toEqual(["permission.recorded"]);
  });
});

describe("the format of a webhook", () => {
  const NAME = "<b>*#1* & [x](http://x) @everyone";

  async function send(format: Schema<"WebhookFormat">) {
    const { path } = await create({ format, entityTypes: ["target_app"], actions: ["created"] });
    const { id } = (await server.client.createTargetApp({ body: { name: NAME } })).data;
    await deliver();
    await server.client.deleteTargetApp({ path: { id } });
    return receiver.at(path)[0]?.body;
  }

  test("sends one line to Slack, in which nothing is a link or a mention", async () => {
    expect(await send("slack")).toEqual({
      text: "CONSOLE API created target app &lt;b&gt;*#1* &amp; [x](http://x) @everyone",
      blocks: [{ type: "section", text: { type: "plain_text", text: `CONSOLE API created target app ${NAME}`, emoji: false } }],
    });
  });

  test("says in chats what a change did, and names the person of a member who has no name of their own in the log", async () => {
    const { path } = await create({ format: "slack", entityTypes: ["gate", "member"], actions: ["updated", "deleted"] });
    const { id } = (await server.client.createGate({ body: { name: "Loyalty" } })).data;
    await server.client.disableGate({ path: { id }, query: { environment: "staging" } });
    await server.client.archiveGate({ path: { id }, body: {} });
    const { person } = await makePerson(server);
    await server.client.inviteUsers({ body: { emails: [person.email], role: "Member" } });
    await server.client.removeProjectMember({ path: { id: "default", email: person.email } });
    await deliver();
    // Only events about one entity keep their order.
    expect(receiver.at(path).map(({ body }) => body.text)).toEqual(
      expect.arrayContaining([
        "CONSOLE API turned off gate Loyalty in staging",
        "CONSOLE API archived gate Loyalty",
        `CONSOLE API deleted member ${person.firstName} ${person.lastName}`,
      ]),
    );
    expect(receiver.at(path)).toHaveLength(3);
  });

  test("sends an adaptive card to Microsoft Teams", async () => {
    const content = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      body: [{ type: "RichTextBlock", inlines: [{ type: "TextRun", text: `CONSOLE API created target app ${NAME}` }] }],
    };
    const contentType = "application/vnd.microsoft.card.adaptive";
    expect(await send("teams")).toEqual({ type: "message", attachments: [{ contentType, contentUrl: null, content }] });
  });

  test("sends escaped text without mentions to Discord", async () => {
    expect(await send("discord")).toEqual({
      content: "CONSOLE API created target app \\<b\\>\\*\\#1\\* & \\[x\\]\\(http\\://x\\) \\@everyone",
      allowed_mentions: { parse: [] },
      flags: 4,
    });
  });
});

describe("testWebhook", () => {
  test("links the page of the webhook in chats if the server knows its own address", async () => {
    const linking = await startServer({ publicUrl: "https://flags.example.com" });
    const { id } = (await linking.client.createWebhook({ body: { name: "linked", format: "discord", url: receiver.url("/linked") } })).data;
    await linking.client.testWebhook({ path: { id } });
    expect(receiver.at("/linked").map(({ body }) => body.content)).toEqual([
      `This is a test of webhook linked.\n[Open in Gatehouse](<https://flags.example.com/projects/default/webhooks/${id}>)`,
    ]);
    await linking.close();
  });

  test("sends a sample event at once, also to a disabled webhook, and returns the outcome", async () => {
    const { id, path } = await create({ isEnabled: false });
    expect((await server.client.testWebhook({ path: { id } })).data).toEqual({
      ...{ isDelivered: true, responseStatus: 204, responseBody: "", reason: null },
    });
    expect(receiver.at(path).map(({ body }) => body)).toMatchObject([
      { type: "webhook.test", data: { entityType: "webhook", entityID: id } },
    ]);
    receiver.answer(path, (response) => response.writeHead(404).end("x".repeat(2_000)));
    expect((await server.client.testWebhook({ path: { id } })).data).toEqual({
      ...{ isDelivered: false, responseStatus: 404, responseBody: "x".repeat(1_000), reason: "It answered 404." },
    });
    expect((await server.client.listWebhookDeliveries({ path: { id } })).data).toEqual([]);
  });

  test("says why a URL cannot be reached", async () => {
    const { id } = await create({ url: "http://127.0.0.1:1/" });
    const { data } = await server.client.testWebhook({ path: { id } });
    expect(data).toMatchObject({ isDelivered: false, responseStatus: null, responseBody: null });
    expect(data.reason).toMatch(/^It cannot be reached: /);
  });
});

describe("a webhook", () => {
  test("has no URL with a private address unless the operator names its host", async () => {
    const message =
      "must have a host with a public address, or one of those in GATEHOUSE_WEBHOOK_HOSTS, which the operator of the server sets";
    for (const url of ["http://10.0.0.1/", "http://[::1]/", "http://localhost/"])
      expect(await refusal(create({ url }))).toEqual(invalid(["url", message]));
    const { id } = await create();
    expect(await refusal(server.client.patchWebhook({ path: { id }, body: { url: "ftp://example.com" } }))).toEqual(
      invalid(["url", "must be an https or http URL"]),
    );
  });

  test("shows only the host of its URL in the audit log and in the events that webhooks get, and each change of the URL", async () => {
    const other = await create({ entityTypes: ["webhook"] });
    const { id } = await create();
    await server.client.patchWebhook({ path: { id }, body: { url: receiver.url("/another-secret") } });
    await deliver();
    const host = `${new URL(receiver.url("/")).origin}/…`;
    const [entry] = (await server.client.listAuditLogs({ query: { limit: 1 } })).data;
    expect(entry?.changes).toEqual({ url: { old: host, new: host } });
    expect(JSON.stringify(entry)).not.toContain("another-secret");
    const [created, updated] = receiver.at(other.path).filter(({ body }) => body.data.entityID === id);
    expect(created?.body.data.fields).toContainEqual({ field: "url", before: null, after: host, isCut: false });
    expect(updated?.body.data.fields).toEqual([{ field: "url", before: host, after: host, isCut: false }]);
    expect((await server.client.getWebhook({ path: { id } })).data.url).toBe(receiver.url("/another-secret"));
  });

  test("can be enabled only by callers who may read the audit log", async () => {
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"] });
    const client = createConsoleClient({ baseUrl: server.url, apiKey: key, retry: { attempts: 1 } });
    const body = { name: "no audit log", url: receiver.url("/refused") };
    expect(await refusal(client.createWebhook({ body }))).toMatchObject({
      status: 403,
      message: expect.stringContaining("read_audit_logs"),
    });
    const { id } = await create();
    expect((await client.patchWebhook({ path: { id }, body: { isEnabled: false } })).data.isEnabled).toBe(false);
    expect((await refusal(client.patchWebhook({ path: { id }, body: { isEnabled: true } }))).status).toBe(403);
  });

  test("is deleted with its deliveries, and gets only later events once it is restored", async () => {
    const { id, types } = await create({ entityTypes: ["gate"] });
    await server.client.createGate({ body: { name: "before the deletion" } });
    await deliver();
    await server.client.deleteWebhook({ path: { id } });
    await server.client.createGate({ body: { name: "while it is deleted" } });
    await server.client.restoreWebhookVersion({ path: { id, version: 1 } });
    await server.client.patchGate({ path: { id: "while_it_is_deleted" }, body: { description: "Heard." } });
    await deliver();
    expect(types()).toEqual(["gate.created", "gate.updated"]);
    expect((await server.client.listWebhookDeliveries({ path: { id } })).data).toHaveLength(1);
  });

  test("is the 500th of a project at most", async () => {
    await server.database.prisma.$executeRaw`
      insert into webhook ("projectID", id, version, "createdTime", entity) select 'default', 'w' || i, 1, 1, '{}' from generate_series(1, 500) as i`;
    expect(await refusal(create())).toMatchObject({
      status: 409,
      message: "The project has 500 webhooks, which is the maximum. Delete one first.",
    });
    await server.database.prisma.$executeRaw`delete from webhook where entity = '{}'`;
  });
});
