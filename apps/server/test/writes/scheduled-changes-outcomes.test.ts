import type { Schema } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteOldScheduledChanges } from "../../src/jobs/scheduled-changes.ts";
import { makeKey } from "../support/keys.ts";
import { makePerson } from "../support/people.ts";
import { HOUR_MS, scheduling } from "../support/scheduling.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const MINUTE_MS = 60_000;
let count = 0;
const { read, isEnabled, scheduleEnabling, pass } = scheduling(() => server);

test("a scheduled change is applied if only other fields of the entity changed", async () => {
  const { id, change } = await scheduleEnabling();
  await server.client.patchGate({ path: { id }, body: { description: "Another field." } });
  expect([(await pass(change)).status, await isEnabled(id)]).toEqual(["APPLIED", true]);
});

test("a scheduled change that creates new ids is still applied after edits to other fields", async () => {
  const { id } = (await server.client.createGate({ body: { name: `with a new rule ${++count}` } })).data;
  const body = { rules: [{ name: "Everyone", passPercentage: 100, conditions: [] }] };
  const { data: change } = await server.client.schedule.patchGate({ path: { id }, body, query: { applyAt: server.clock.now + HOUR_MS } });
  await server.client.patchGate({ path: { id }, body: { description: "Another field." } });
  expect((await pass(change)).error).toBeNull();
  expect((await server.client.getGate({ path: { id } })).data.rules.map(({ name }) => name)).toEqual(["Everyone"]);
});

describe("a scheduled change fails, and changes nothing,", () => {
  test("if its effect would differ, and names the entities that changed", async () => {
    const { id, change } = await scheduleEnabling();
    await server.client.enableGate({ path: { id } });
    const failed = await pass(change);
    const message =
      `The change would no longer have the effect that was scheduled: the gate ${id} is at version 2, not 1. ` +
      'Differences: isEnabled is already true; status is already "In Progress". If it is still needed, schedule it again.';
    expect(failed).toMatchObject({ status: "FAILED", endedTime: server.clock.now, error: { code: "conflict", message } });
    expect((await server.client.getGate({ path: { id } })).data.version).toBe(2);
  });

  test("if the entity is gone", async () => {
    const { id, change } = await scheduleEnabling();
    await server.client.deleteGate({ path: { id } });
    expect((await pass(change)).error).toEqual({ code: "not_found", message: `Gate ${id} does not exist.` });
  });

  test("if its key was deactivated, has expired or lost the scope", async () => {
    const schedule = async (given: object) => {
      const key = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"], ...given });
      const { id } = (await server.client.createGate({ body: { name: `by key ${++count}`, isEnabled: false } })).data;
      const url = `/console/v1/gates/${id}/enable?applyAt=${server.clock.now + HOUR_MS}`;
      const { status, body } = await server.send("PUT", url, { key: key.key });
      expect(status).toBe(202);
      return { gate: id, key, change: body.data as Schema<"ScheduledChange"> };
    };
    const deactivated = await schedule({});
    const expired = await schedule({ expiresTime: server.clock.now + MINUTE_MS });
    const limited = await schedule({});
    await server.client.deactivateKey({ path: { id: deactivated.key.id } });
    await server.client.patchKey({ path: { id: limited.key.id }, body: { scopes: ["omni_read_only"] } });
    const errorOf = async ({ change }: { change: Schema<"ScheduledChange"> }) => (await pass(change)).error;
    expect(await errorOf(deactivated)).toEqual({
      code: "forbidden",
      message: `The key ${deactivated.key.id}, which scheduled the change, was deactivated or deleted.`,
    });
    expect(await errorOf(expired)).toEqual({
      code: "forbidden",
      message: `The key ${expired.key.id}, which scheduled the change, has expired.`,
    });
    expect(await errorOf(limited)).toMatchObject({ code: "forbidden", message: expect.stringContaining("launch_or_disable_configs") });
    for (const { gate } of [deactivated, expired, limited]) expect(await isEnabled(gate)).toBe(false);
  });

  test("if the person lost the role or left the project", async () => {
    const schedule = async () => {
      const email = `scheduler${++count}@example.com`;
      const { person, headers } = await makePerson(server, { email });
      await server.client.inviteUsers({ body: { emails: [email], role: "Member" } });
      const { id } = (await server.client.createGate({ body: { name: `by person ${count}`, isEnabled: false } })).data;
      const url = `/console/v1/gates/${id}/enable?applyAt=${server.clock.now + HOUR_MS}`;
      const { status, body } = await server.send("PUT", url, { key: null, headers: { ...headers, "GATEHOUSE-PROJECT": "default" } });
      expect([status, body.data?.author?.id]).toEqual([202, person.id]);
      return { email, gate: id, change: body.data as Schema<"ScheduledChange"> };
    };
    const [kept, demoted, removed] = [await schedule(), await schedule(), await schedule()];
    await server.client.updateUser({ path: { email: demoted.email }, body: { role: "Viewer" } });
    await server.client.removeProjectMember({ path: { id: "default", email: removed.email } });
    expect(await pass(kept.change)).toMatchObject({ status: "APPLIED", error: null });
    expect((await pass(demoted.change)).error).toMatchObject({ code: "forbidden", message: expect.stringContaining("the role Viewer") });
    const message = `${removed.email}, who scheduled the change, can no longer access the project.`;
    expect((await pass(removed.change)).error).toEqual({ code: "forbidden", message });
    expect([await isEnabled(kept.gate), await isEnabled(demoted.gate), await isEnabled(removed.gate)]).toEqual([true, false, false]);
  });
});

describe("listScheduledChanges", () => {
  test("200 by time, filtered by status, entity and author", async () => {
    const { id, change: later } = await scheduleEnabling();
    const body = { description: "Soon." };
    const { data: sooner } = await server.client.schedule.patchGate({ path: { id }, body, query: { applyAt: later.applyAt - MINUTE_MS } });
    const list = async (query: Parameters<typeof server.client.listScheduledChanges>[0] extends infer R ? NonNullable<R> : never) =>
      (await server.client.listScheduledChanges(query)).data.map((one) => one.id);
    const ofGate = { entityType: "gate", entityID: id };
    expect(await list({ query: { ...ofGate, status: "SCHEDULED" } })).toEqual([sooner.id, later.id]);
    expect(await list({ query: ofGate })).toEqual([later.id, sooner.id]);
    await server.client.cancelScheduledChange({ path: { id: sooner.id } });
    expect(await list({ query: { ...ofGate, status: "SCHEDULED" } })).toEqual([later.id]);
    expect(await list({ query: { ...ofGate, status: "CANCELED", authorID: later.author.id } })).toEqual([sooner.id]);
    expect(await list({ query: { authorID: "nobody" } })).toEqual([]);
    expect(await list({ query: { entityType: "segment", entityID: id } })).toEqual([]);
  });

  test("400 for an entityID without entityType", async () => {
    const call = server.client.listScheduledChanges({ query: { entityID: "a" } });
    expect(await refusal(call)).toEqual(invalid(["entityID", "needs entityType"]));
  });
});

describe("getScheduledChange", () => {
  test("200 with the change", async () => {
    const { change } = await scheduleEnabling();
    expect(await read(change.id)).toEqual(change);
  });
});

describe("rescheduleChange", () => {
  test("200 moves the change to another time", async () => {
    const { id, change } = await scheduleEnabling();
    const applyAt = change.applyAt + HOUR_MS;
    const { data } = await server.client.rescheduleChange({ path: { id: change.id }, body: { applyAt } });
    expect(data).toEqual({ ...change, applyAt, version: 2 });
    expect([(await pass(change)).status, await isEnabled(id)]).toEqual(["SCHEDULED", false]);
    expect([(await pass(data)).status, await isEnabled(id)]).toEqual(["APPLIED", true]);
  });

  test("400 for a time in the past", async () => {
    const { change } = await scheduleEnabling();
    const call = server.client.rescheduleChange({ path: { id: change.id }, body: { applyAt: server.clock.now } });
    expect(await refusal(call)).toEqual(invalid(["applyAt", "must be in the future"]));
  });

  test("403 without the permission of the operation that the change calls", async () => {
    const { change } = await scheduleEnabling();
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    const body = { applyAt: change.applyAt + 1 };
    const answer = await server.send("POST", `/console/v1/scheduled_changes/${change.id}/reschedule`, { key, body });
    expect(answer).toMatchObject({ status: 403, body: { message: expect.stringContaining("launch_or_disable_configs") } });
  });

  test("409 for a change that was applied", async () => {
    const { change } = await scheduleEnabling();
    await pass(change);
    const call = server.client.rescheduleChange({ path: { id: change.id }, body: { applyAt: server.clock.now + HOUR_MS } });
    expect(await refusal(call)).toEqual(conflicting(`Scheduled change ${change.id} was already applied.`, "status"));
  });
});

describe("cancelScheduledChange", () => {
  test("200 keeps the change from being applied", async () => {
    const { id, change } = await scheduleEnabling();
    const { data } = await server.client.cancelScheduledChange({ path: { id: change.id } });
    expect(data).toEqual({ ...change, status: "CANCELED", endedTime: server.clock.now, version: 2 });
    expect([(await pass(change)).status, await isEnabled(id)]).toEqual(["CANCELED", false]);
  });

  test("403 for a key that is limited to an environment, if the change is another's", async () => {
    const { id, change } = await scheduleEnabling();
    const environments = ["production"];
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"], environments });
    const cancel = (one: string) => server.send("POST", `/console/v1/scheduled_changes/${one}/cancel`, { key });
    expect(await cancel(change.id)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining("limited to the environment") },
    });
    const url = `/console/v1/gates/${id}?applyAt=${server.clock.now + HOUR_MS}`;
    const own = await server.send("PATCH", url, { key, body: { description: "Its own." } });
    expect([own.status, (await cancel(own.body.data.id)).status]).toEqual([202, 200]);
  });

  test("409 for a change that was canceled", async () => {
    const { change } = await scheduleEnabling();
    await server.client.cancelScheduledChange({ path: { id: change.id } });
    const call = server.client.cancelScheduledChange({ path: { id: change.id } });
    expect(await refusal(call)).toEqual(conflicting(`Scheduled change ${change.id} was canceled.`, "status"));
  });
});

test("Changes of a deleted project are not applied", async () => {
  const { headers } = await makePerson(server, { isAdministrator: true });
  const send = (projectID: string, method: string, path: string, body?: object) =>
    server.send(method, `/console/v1${path}`, { key: null, headers: { ...headers, "GATEHOUSE-PROJECT": projectID }, body });
  const { id } = (await send("default", "POST", "/projects", { name: "ends" })).body.data;
  const gate = (await send(id, "POST", "/gates", { name: "left on", isEnabled: true })).body.data;
  const scheduled = await send(id, "PUT", `/gates/${gate.id}/disable?applyAt=${server.clock.now + HOUR_MS}`);
  expect([scheduled.status, (await send("default", "DELETE", `/projects/${id}`)).status]).toEqual([202, 200]);
  server.clock.now += HOUR_MS;
  await server.applyDue();
  const stored = await server.database.db.$queryRaw<{ status: string }[]>`select status from scheduled_change where "projectID" = ${id}`;
  expect(stored).toEqual([{ status: "SCHEDULED" }]);
});

test("Finished changes are deleted a year after their time, and scheduled ones are kept", async () => {
  const made = await scheduleEnabling();
  expect((await pass(made.change)).status).toBe("APPLIED");
  const waiting = await scheduleEnabling();
  const { client, clock } = server;
  clock.now += 365 * 24 * HOUR_MS + 2 * HOUR_MS;
  await deleteOldScheduledChanges.run({ database: server.database, log: server.log, now: () => clock.now });
  expect(await refusal(client.getScheduledChange({ path: { id: made.change.id } }))).toMatchObject({ status: 404 });
  expect(await read(waiting.change.id)).toMatchObject({ status: "SCHEDULED" });
});
