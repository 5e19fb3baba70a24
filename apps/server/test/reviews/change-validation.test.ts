import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createConsoleClient, type Schema } from "@gatehouse/client";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { changeValidations } from "../../src/jobs/change-validations.ts";
import { makeKey } from "../support/keys.ts";
import { type Colleague, reviewing, reviewOf } from "../support/reviewing.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

type Received = { headers: IncomingHttpHeaders; body: string };

let server: TestServer;
let receiver: Server;
let url: string;
let reviewer: Colleague;
let webhook: ReturnType<typeof createConsoleClient>;
const received: Received[] = [];
let status = 200;
beforeAll(async () => {
  server = await startServer();
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(status, { Location: "/elsewhere" }).end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/validate`;
  reviewer = await colleague();
  const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"] });
  webhook = createConsoleClient({ baseUrl: server.url, apiKey: key, retry: { attempts: 1 } });
});
afterAll(async () => {
  receiver.close();
  await server.close();
});
beforeEach(() => {
  received.length = 0;
  status = 200;
});

const { colleague, exempt, gate: makeGate } = reviewing(() => server);
const NONE = { is_config_review_required: false, is_metric_review_required: false, is_metric_review_required_on_verified_only: false };
const configure = async (given: object) => (await exempt()).updateReviewSettings({ body: { ...NONE, ...given } });
const deliver = () => changeValidations.run({ database: server.database, log: server.log, now: () => server.clock.now });
const read = async (id: string) => (await server.client.getReview({ path: { id } })).data;
const commit = (id: string) => server.client.commitReview({ path: { id } });

/** An approved review of a change to a gate. */
async function approved(): Promise<Schema<"Review">> {
  const id = await makeGate({ reviewSettings: { requiredReview: true } });
  const review = await reviewOf(server.client.enableGate({ path: { id } }));
  return (await reviewer.client.approveReview({ path: { id: review.id } })).data;
}

describe("a project with a webhook that validates changes", () => {
  beforeAll(() => configure({ change_validation_url: url, change_validation_timeout_ms: 60_000 }));

  test("sends it each change that needs a review, signed, and commits the change once it is validated", async () => {
    const { id, entities } = await approved();
    await deliver();
    await deliver();
    expect(received).toHaveLength(1);
    const [{ headers, body }] = received as [Received];
    const { secret } = (await server.client.getChangeValidationSecret()).data as { secret: string };
    // The server's clock is a test's, and the library compares with the real one.
    const signed = new Webhook(secret).sign(`${id}_1`, new Date(server.clock.now), body);
    expect(headers).toMatchObject({
      ...{ "webhook-id": `${id}_1`, "webhook-timestamp": String(server.clock.now / 1_000), "webhook-signature": signed },
      "content-type": "application/json",
    });
    expect(JSON.parse(body)).toMatchObject({
      type: "change_validation.requested",
      data: { projectID: "default", reviewID: id, revision: 1, operationId: "enableGate", entities, deadline: server.clock.now + 60_000 },
    });

    expect((await read(id)).validation).toEqual({ status: "PENDING", message: null, debugLinks: [], deadline: server.clock.now + 60_000 });
    expect((await refusal(commit(id))).message).toBe(`The webhook has not validated review ${id} yet.`);
    await webhook.updateChangeValidationMessage({ body: { reviewID: id, message: "Half of the tests pass." } });
    expect((await refusal(commit(id))).message).toBe(`The webhook has not validated review ${id} yet: Half of the tests pass.`);
    const debugLinks = [{ title: "Build", url: "https://ci.example.com/1" }];
    await webhook.validateChange({ body: { reviewID: id, validated: true, message: "All tests pass.", debugLinks } });
    expect((await read(id)).validation).toMatchObject({ status: "VALIDATED", message: "All tests pass.", debugLinks });
    expect((await commit(id)).data.status).toBe("COMMITTED");
  });

  test("commits no change that failed its validation, and says why", async () => {
    const { id } = await approved();
    await webhook.validateChange({ body: { reviewID: id, validated: false, message: "12 tests fail." } });
    expect(await refusal(commit(id))).toMatchObject({ status: 409, message: `The validation of review ${id} failed: 12 tests fail.` });
    await deliver();
    expect(received).toEqual([]);
  });

  test("commits no change whose webhook did not answer in time", async () => {
    const { id } = await approved();
    server.clock.now += 60_000;
    expect((await refusal(commit(id))).message).toBe(
      `The webhook did not validate review ${id} in time. Revise the review to ask it again.`,
    );
    await deliver();
    expect(received).toEqual([]);
  });

  test("asks again after a pause if the webhook fails or redirects, until it gets the message", async () => {
    await approved();
    for (const failing of [500, 302]) {
      status = failing;
      await deliver();
      await deliver();
      server.clock.now += 10_000;
    }
    expect(received).toHaveLength(2);
    status = 204;
    await deliver();
    server.clock.now += 30_000;
    await deliver();
    expect(received.map(({ headers }) => headers["webhook-id"])).toEqual(Array(3).fill(received[0]?.headers["webhook-id"]));
  });

  test("soon asks again about a revision of a review that is hours old", async () => {
    const gateID = await makeGate({ reviewSettings: { requiredReview: true } });
    const { id } = await reviewOf(server.client.patchGate({ path: { id: gateID }, body: { isEnabled: true } }));
    await webhook.validateChange({ body: { reviewID: id, validated: true } });
    server.clock.now += 2 * 60 * 60 * 1_000;
    await server.client.updateReview({ path: { id }, body: { body: { isEnabled: true, description: "Hours later." } } });
    status = 500;
    await deliver();
    server.clock.now += 10_000;
    await deliver();
    expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([`${id}_2`, `${id}_2`]);
  });

  test("asks about each revision, and takes no late answer for an earlier one", async () => {
    const gateID = await makeGate({ reviewSettings: { requiredReview: true } });
    const { id } = await reviewOf(server.client.patchGate({ path: { id: gateID }, body: { isEnabled: true } }));
    await webhook.validateChange({ body: { reviewID: id, validated: true } });
    await server.client.updateReview({ path: { id }, body: { body: { isEnabled: true, description: "Revised." } } });
    expect((await read(id)).validation).toMatchObject({ status: "PENDING", message: null });
    await deliver();
    expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([`${id}_2`]);
    expect(await refusal(webhook.validateChange({ body: { reviewID: id, validated: true, revision: 1 } }))).toMatchObject({
      status: 409,
      message: `Review ${id} is at revision 2, not 1. Read its changes again.`,
    });
  });

  test("lets nobody answer for the webhook about their own change", async () => {
    const { id } = await approved();
    expect(await refusal(server.client.validateChange({ body: { reviewID: id, validated: true } }))).toMatchObject({
      status: 403,
      message: `Review ${id} is your own. Another key or person has to answer for the webhook.`,
    });
    const member = await colleague();
    expect((await refusal(member.client.validateChange({ body: { reviewID: id, validated: true } }))).status).toBe(403);
  });

  test("reviews a change of the webhook, which could let every change pass", async () => {
    const review = await reviewOf(server.client.updateReviewSettings({ body: { ...NONE, change_validation_url: null } }));
    expect(review.requirements).toMatchObject([{ kind: "SAFEGUARD", name: "change_validation_url" }]);
  });
});

describe("a project without a webhook", () => {
  beforeAll(() => configure({ change_validation_url: null }));

  test("commits reviews without one, also those that were sent to an earlier one, and has no secret", async () => {
    const { id } = await approved();
    expect(await read(id)).not.toHaveProperty("validation");
    expect(await refusal(webhook.validateChange({ body: { reviewID: id, validated: true } }))).toMatchObject({
      status: 409,
      message: `Review ${id} was not sent to a webhook.`,
    });
    expect(await refusal(webhook.updateChangeValidationMessage({ body: { reviewID: id, message: "Too late." } }))).toMatchObject({
      status: 409,
      message: `Review ${id} was not sent to a webhook.`,
    });
    expect((await commit(id)).data.status).toBe("COMMITTED");
    expect((await server.client.getChangeValidationSecret()).data).toEqual({ secret: null });
  });

  test("asks one that is configured before the commit", async () => {
    const { id } = await approved();
    await configure({ change_validation_url: url });
    expect((await refusal(commit(id))).message).toBe(`The webhook has not validated review ${id} yet.`);
    await deliver();
    expect(received.map(({ headers }) => headers["webhook-id"])).toContain(`${id}_1`);
    await webhook.validateChange({ body: { reviewID: id, validated: true } });
    expect((await commit(id)).data.status).toBe("COMMITTED");
    await configure({ change_validation_url: null });
  });

  test("refuses URLs of private hosts and of other schemes", async () => {
    const set = (change_validation_url: string) => refusal(configure({ change_validation_url }));
    const privateHost =
      "must have a host with a public address, or one of those in GATEHOUSE_WEBHOOK_HOSTS, which the operator of the server sets";
    for (const [given, message] of [
      ["http://localhost:8080/", privateHost],
      ["http://169.254.169.254/latest", privateHost],
      ["http://[::1]/", privateHost],
      ["http://2130706434/", privateHost],
      ["ftp://example.com/", "must be an https or http URL"],
      ["https://user:password@example.com/", "must have no user and no password"],
      ["nonsense", "must be a URL such as https://hooks.example.com/gatehouse"],
    ] as const)
      expect([given, (await set(given)).errors]).toEqual([given, invalid(["change_validation_url", message]).errors]);
  });
});
