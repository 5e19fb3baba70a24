import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { operations } from "../support/operations.ts";
import { HOUR_MS, scheduling } from "../support/scheduling.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const MINUTE_MS = 60_000;
const YEAR_MS = 366 * 24 * HOUR_MS;
let count = 0;
const { read, isEnabled, scheduleEnabling, pass } = scheduling(() => server);

const SWITCHED_ON = { field: "isEnabled", before: false, after: true };

describe("a write with applyAt", () => {
  test("is stored with its request, author, reason and effect, and applied at its time under its own operation", async () => {
    const { id, change } = await scheduleEnabling({ reason: "The sale begins." });
    const { now } = server.clock;
    const { data: own } = await server.client.listKeys();
    const author = own.find((key) => key.scopes?.includes("omni_read_write"));
    expect(change).toEqual({
      id: change.id,
      status: "SCHEDULED",
      applyAt: now + HOUR_MS,
      operationId: "enableGate",
      path: { id },
      query: {},
      body: null,
      ifMatch: null,
      reason: "The sale begins.",
      author: { id: author?.id, name: "CONSOLE API", email: null },
      entities: [{ entityType: "gate", entityID: id, version: 1 }],
      changes: [{ entityType: "gate", entityID: id, fields: [SWITCHED_ON, { field: "status", before: "Disabled", after: "In Progress" }] }],
      createdTime: now,
      endedTime: null,
      error: null,
      version: 1,
    });
    server.clock.now += HOUR_MS - 1;
    await server.applyDue();
    expect(await isEnabled(id)).toBe(false);
    server.clock.now += 1;
    await server.applyDue();
    expect(await isEnabled(id)).toBe(true);
    expect(await read(change.id)).toEqual({ ...change, status: "APPLIED", endedTime: server.clock.now, version: 2 });
    const { data: changes } = await server.client.listChanges({ query: { entityType: "gate", entityID: id } });
    const reason = `Scheduled change ${change.id}: The sale begins.`;
    expect(changes[0]).toMatchObject({
      operationID: "enableGate",
      actorID: author?.id,
      reason,
      version: 2,
      time: server.clock.now,
      requestID: null,
    });
  });

  test.each([
    ["in the past", () => server.clock.now, "must be in the future"],
    ["in more than a year", () => server.clock.now + YEAR_MS + 1, "must be at most a year ahead"],
  ])("is refused for a time %s", async (_, applyAt, message) => {
    const body = { name: "never" };
    expect(await refusal(server.client.schedule.createGate({ body, query: { applyAt: applyAt() } }))).toEqual(
      invalid(["applyAt", message]),
    );
  });

  test("is refused together with dryRun or impact", async () => {
    const query = `applyAt=${server.clock.now + HOUR_MS}&dryRun=true&impact=5`;
    const { status, body } = await server.send("POST", `/console/v1/gates?${query}`, { body: { name: "never" } });
    expect([status, body.errors]).toEqual([
      400,
      [
        { property: "dryRun", errorMessage: "cannot be combined with applyAt" },
        { property: "impact", errorMessage: "cannot be combined with applyAt" },
      ],
    ]);
  });

  test("is refused if it would be refused now", async () => {
    const query = { applyAt: server.clock.now + HOUR_MS };
    const { id } = (await server.client.createGate({ body: { name: `refused ${++count}` } })).data;
    expect((await refusal(server.client.schedule.createGate({ body: { name: id }, query }))).status).toBe(409);
    expect((await refusal(server.client.schedule.enableGate({ path: { id: "absent" }, query }))).status).toBe(404);
    expect((await refusal(server.client.schedule.enableGate({ path: { id }, query, ifMatch: '"7"' }))).status).toBe(412);
    const rules = [{ name: "Others", passPercentage: 1, conditions: [{ type: "passes_gate" as const, targetValue: "absent" }] }];
    expect((await refusal(server.client.schedule.patchGate({ path: { id }, body: { rules }, query }))).status).toBe(400);
    const ofGate = { entityType: "gate", entityID: id };
    expect((await server.client.listScheduledChanges({ query: ofGate })).data).toEqual([]);
  });

  test("is refused with a body of more than 1,048,576 characters", async () => {
    const { id } = (await server.client.createSegment({ body: { name: `large ${++count}`, type: "id_list" } })).data;
    const ids = Array.from({ length: 60_000 }, (_, index) => `user-number-${index}`);
    const { status, body } = await server.send("PATCH", `/console/v1/segments/${id}/id_list?applyAt=${server.clock.now + HOUR_MS}`, {
      body: { ids },
    });
    const message = "A body with more than 1,048,576 characters cannot be scheduled. Split it into smaller changes.";
    expect([status, body]).toEqual([413, { status: 413, code: "payload_too_large", message }]);
  });

  test("replays its 202 for the same Idempotency-Key after it was applied", async () => {
    const { id } = (await server.client.createGate({ body: { name: `repeated ${++count}`, isEnabled: false } })).data;
    const request = { path: { id }, query: { applyAt: server.clock.now + HOUR_MS }, idempotencyKey: `repeated-${count}` };
    const { data } = await server.client.schedule.enableGate(request);
    await pass(data);
    expect(await server.client.schedule.enableGate(request)).toMatchObject({ data, isReplayed: true });
  });

  test("creates an entity with ids and times of when it is applied", async () => {
    const body = { name: `created ${++count}`, rules: [{ name: "All", passPercentage: 50, conditions: [] }] };
    const { data: change } = await server.client.schedule.createGate({ body, query: { applyAt: server.clock.now + HOUR_MS } });
    expect(change.entities).toContainEqual({ entityType: "gate", entityID: `created_${count}`, version: null });
    expect((await pass(change)).error).toBe(null);
    const { data } = await server.client.getGate({ path: { id: `created_${count}` } });
    expect([data.createdTime, data.rules.length]).toEqual([change.applyAt, 1]);
  });

  test("expects what an earlier scheduled change leaves, so that on and off can be scheduled together", async () => {
    const { id, change: on } = await scheduleEnabling();
    const { etag = "" } = await server.client.getGate({ path: { id } });
    const query = { applyAt: on.applyAt + HOUR_MS };
    const { data: off } = await server.client.schedule.disableGate({ path: { id }, query, ifMatch: etag });
    expect([on.entities[0]?.version, off.entities[0]?.version]).toEqual([1, 2]);
    expect(off.changes[0]?.fields).toContainEqual({ field: "isEnabled", before: true, after: false });
    expect([(await pass(on)).status, await isEnabled(id)]).toEqual(["APPLIED", true]);
    expect([(await pass(off)).status, await isEnabled(id)]).toEqual(["APPLIED", false]);
  });

  test("applies changes to the same entity in the order of their times if all are overdue", async () => {
    const { id, change: on } = await scheduleEnabling();
    const { data: off } = await server.client.schedule.disableGate({ path: { id }, query: { applyAt: on.applyAt + 1 } });
    server.clock.now = off.applyAt + HOUR_MS;
    await server.applyDue();
    expect([(await read(on.id)).status, (await read(off.id)).status]).toEqual(["APPLIED", "APPLIED"]);
    expect(await isEnabled(id)).toBe(false);
  });

  test("can change an entity that an earlier scheduled change creates", async () => {
    const name = `made first ${++count}`;
    const first = server.clock.now + HOUR_MS;
    const { data: making } = await server.client.schedule.createGate({ body: { name, isEnabled: false }, query: { applyAt: first } });
    const id = name.replaceAll(" ", "_");
    const { data: enabling } = await server.client.schedule.enableGate({ path: { id }, query: { applyAt: first + HOUR_MS } });
    await pass(making);
    expect([(await pass(enabling)).error, await isEnabled(id)]).toEqual([null, true]);
  });
});

describe("409 for too many pending changes", () => {
  /** Rows of changes that wait for the next minute. */
  const fill = (number: number, key: string) =>
    server.database.prisma.$executeRaw`
      insert into scheduled_change
        ("projectID", id, version, "createdTime", status, "applyAt", "dueTime", "authorID", "entityTypes", "entityKeys", entity)
      select 'default', 'filled ' || number, 1, 1, 'SCHEDULED', ${server.clock.now + MINUTE_MS}::bigint, ${server.clock.now + MINUTE_MS}::bigint, 'a',
        array['gate'], array[${key}], '{}' from generate_series(1, ${number}::int) as number`;
  afterEach(async () => void (await server.database.prisma.$executeRaw`delete from scheduled_change where id like 'filled %'`));

  test.each([
    [51, "to the same entities before it", "More than 50 scheduled changes to the same entities come before this one."],
    [1_000, "in the project", "The project already has 1,000 scheduled changes. Cancel one first."],
  ])("%i %s", async (number, place, message) => {
    const { id } = (await server.client.createGate({ body: { name: `crowded ${++count}` } })).data;
    await fill(number, place === "in the project" ? "gate another" : `gate ${id}`);
    const call = server.client.schedule.disableGate({ path: { id }, query: { applyAt: server.clock.now + HOUR_MS } });
    expect(await refusal(call)).toEqual(conflicting(message, "applyAt"));
  });

  test("with more than 500 requests to the same entities before it", async () => {
    const { client, clock } = server;
    const { id } = (await client.createGate({ body: { name: `busy ${++count}` } })).data;
    const patch = { operationId: "patchGate" as const, path: { id }, body: { description: "Busy." } };
    const query = { applyAt: clock.now + HOUR_MS };
    for (const length of [300, 201]) await client.schedule.batch({ requests: Array.from({ length }, () => patch), query });
    const message = "Earlier scheduled changes to the same entities contain more than 500 requests.";
    expect(await refusal(client.schedule.disableGate({ path: { id }, query }))).toEqual(conflicting(message, "applyAt"));
  });

  test("if ten of them will fail", async () => {
    const { client, clock } = server;
    const { data: named } = await client.createGate({ body: { name: `named ${++count}` } });
    const { data: changed } = await client.createGate({ body: { name: `changed ${++count}` } });
    const rules = [{ name: "Others", passPercentage: 1, conditions: [{ type: "passes_gate" as const, targetValue: named.id }] }];
    const query = { applyAt: clock.now + HOUR_MS };
    for (let number = 0; number < 10; number++) await client.schedule.patchGate({ path: { id: changed.id }, body: { rules }, query });
    await client.deleteGate({ path: { id: named.id } });
    const message =
      "Too many earlier scheduled changes will fail or change other entities too, so this one cannot be checked. Cancel some of them first.";
    expect(await refusal(client.schedule.disableGate({ path: { id: changed.id }, query }))).toEqual(conflicting(message, "applyAt"));
  });
});

describe("a batch with applyAt", () => {
  test("compares If-Match when it is scheduled, and also expects what an earlier scheduled change leaves", async () => {
    const { id, change: on } = await scheduleEnabling();
    const { etag } = await server.client.getGate({ path: { id } });
    const schedule = (ifMatch: string | undefined) =>
      server.client.schedule.batch({
        requests: [{ operationId: "disableGate", path: { id }, ifMatch }],
        query: { applyAt: on.applyAt + HOUR_MS },
      });
    expect((await refusal(schedule('"7"'))).status).toBe(412);
    const { data: off } = await schedule(etag);
    expect([(await pass(on)).status, await isEnabled(id)]).toEqual(["APPLIED", true]);
    expect([(await pass(off)).status, await isEnabled(id)]).toEqual(["APPLIED", false]);
  });

  test("is applied as a whole, each request under its own operation", async () => {
    const names = [`batch ${++count}`, `batch ${++count}`];
    const ids = names.map((name) => name.replace(" ", "_"));
    for (const name of names) await server.client.createGate({ body: { name, isEnabled: false } });
    const { data: change } = await server.client.schedule.batch({
      requests: ids.map((id) => ({ operationId: "enableGate" as const, path: { id } })),
      query: { applyAt: server.clock.now + HOUR_MS },
    });
    expect([change.operationId, change.entities.map(({ entityID }) => entityID)]).toEqual(["batch", ids]);
    expect((await pass(change)).error).toBe(null);
    expect(await Promise.all(ids.map(isEnabled))).toEqual([true, true]);
    const { data: changes } = await server.client.listChanges({ query: { entityType: "gate", entityID: ids[0] as string } });
    expect(changes[0]?.operationID).toBe("enableGate");
  });

  test("is refused at the place of an operation that can't be scheduled, and if it writes nothing", async () => {
    const url = `/console/v1/batch?applyAt=${server.clock.now + HOUR_MS}`;
    const requests = [
      { operationId: "createTag", body: { name: "scheduled" } },
      { operationId: "createKey", body: { type: "SERVER", description: "" } },
    ];
    const refused = await server.send("POST", url, { body: { requests } });
    const errorMessage = "cannot be scheduled: createKey. Its response shows a secret only once.";
    expect(refused).toMatchObject({ status: 400, body: { index: 1, errors: [{ property: "requests[1].operationId", errorMessage }] } });
    const own = { operationId: "createTag", body: { name: "scheduled" }, query: { applyAt: server.clock.now + HOUR_MS } };
    const inside = await server.send("POST", "/console/v1/batch", { body: { requests: [own] } });
    const belongs = { property: "requests[0].applyAt", errorMessage: "belongs to the batch, not to a request in it" };
    expect([inside.status, inside.body.errors]).toEqual([400, [belongs]]);
    const reading = await server.send("POST", url, { body: { requests: [{ operationId: "listGates" }] } });
    expect([reading.status, reading.body.errors]).toEqual([
      400,
      [{ property: "requests", errorMessage: "must contain at least one write" }],
    ]);
  });
});

const OF_REVIEWS = [
  ...["updateReview", "approveReview", "rejectReview", "commentOnReview", "commitReview", "cancelReview"],
  ...["validateChange", "updateChangeValidationMessage"],
];
const OF_RELEASES = ["approveRelease", "pauseRelease", "resumeRelease", "skipRelease", "completeRelease", "abortRelease"];

test("every write of a project can be scheduled, except those that say why not", () => {
  const others = operations.filter(({ isWrite, takesApplyAt, permission }) => isWrite && permission !== "administrator" && !takesApplyAt);
  const reasons = others.map(({ operationId, unscheduled, shownOnce }) => [
    operationId,
    unscheduled ?? (shownOnce && "It shows a secret."),
  ]);
  expect(Object.fromEntries(reasons)).toEqual({
    createKey: "It shows a secret.",
    patchKey: "It shows a secret.",
    deactivateKey: "It shows a secret.",
    rotateKey: "It shows a secret.",
    inviteUsers: "It shows a secret.",
    deleteKey: expect.stringContaining("keys"),
    deletePersonSecondFactors: expect.stringContaining("sign in"),
    endPersonSessions: expect.stringContaining("sign in"),
    endPersonSession: expect.stringContaining("sign in"),
    deleteInvitation: expect.stringContaining("invitations"),
    patchModelEndpoint: expect.stringContaining("API key"),
    updateWarehouseConnection: expect.stringContaining("password"),
    rescheduleChange: expect.any(String),
    cancelScheduledChange: expect.any(String),
    updateCodeReferences: expect.stringContaining("as it is now"),
    createComment: expect.stringContaining("people who read it now"),
    patchComment: expect.stringContaining("people who read it now"),
    deleteComment: expect.stringContaining("people who read it now"),
    createResultNote: expect.stringContaining("people who read it now"),
    patchResultNote: expect.stringContaining("people who read it now"),
    deleteResultNote: expect.stringContaining("people who read it now"),
    createWebhook: expect.stringContaining("secret"),
    patchWebhook: expect.stringContaining("secret"),
    deleteWebhook: expect.stringContaining("webhooks"),
    restoreWebhookVersion: expect.stringContaining("webhooks"),
    redeliverWebhookEvent: expect.stringContaining("repeats"),
    ...Object.fromEntries(OF_REVIEWS.map((operationId) => [operationId, "It is a step of a review."])),
    ...Object.fromEntries(OF_RELEASES.map((operationId) => [operationId, "It is a step of a release."])),
  });
});
