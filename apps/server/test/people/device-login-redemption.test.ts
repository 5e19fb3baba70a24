import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endAccess } from "../../src/accounts/end-access.ts";
import { deleteEndedAccess } from "../../src/jobs/delete-ended-access.ts";
import { writing } from "../../src/store/database/unit-of-work.ts";
import { deviceLogins, findStarted, makeMemberAs, startLogin } from "../support/device-logins.ts";
import { makePerson } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let server: TestServer;
let administrator: Awaited<ReturnType<typeof makePerson>>;
beforeAll(async () => {
  server = await startServer({ trustedProxies: ["loopback"] });
  administrator = await makePerson(server, { isAdministrator: true });
});
afterAll(() => server.close());

const on = () => deviceLogins(server);
const wait = (ms: number) => {
  server.clock.now += ms;
};
const found = (headers = administrator.headers, host?: string) => findStarted(server, headers, host);
const makeMember = (role: string) => makeMemberAs(server, role);
const keysOf = (description: string) => server.database.prisma.$queryRaw<unknown[]>`
  select 1 from key where entity::jsonb ->> 'description' = ${description}`;

describe("redeemDeviceLogin", () => {
  test("200: pending until the person decides; within the interval, and for one of two requests at once, 429", async () => {
    const { deviceCode } = await startLogin(server);
    const both = await Promise.all([on().redeem(deviceCode), on().redeem(deviceCode)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 429]);
    wait(4_000);
    const { status, headers, body } = await on().redeem(deviceCode);
    expect([status, headers.get("Retry-After"), body.message]).toEqual([
      429,
      "1",
      "The device login was checked too often. Try again after Retry-After seconds.",
    ]);
    wait(1_000);
    expect((await on().redeem(deviceCode)).body.data).toEqual({ status: "pending", key: null });
  });

  test("200: of requests at once, one gets the key, and later ones get none", async () => {
    const { id, deviceCode } = await found(administrator.headers, "raced");
    await on().approve(id, administrator.headers);
    const answers = await Promise.all(Array.from({ length: 5 }, () => on().redeem(deviceCode)));
    const later = await on().redeem(deviceCode);
    expect([...answers, later].map(({ status, body }) => [status, body.data.status])).toEqual(Array(6).fill([200, "completed"]));
    expect([...answers, later].filter(({ body }) => body.data.key !== null)).toHaveLength(1);
    expect(await keysOf("CLI on raced")).toHaveLength(1);
  });

  test("200: an approved login expires if it is redeemed too late", async () => {
    const { id, deviceCode } = await found(administrator.headers, "too-late");
    await on().approve(id, administrator.headers);
    wait(10 * MINUTE_MS);
    expect((await on().redeem(deviceCode)).body.data).toEqual({ status: "expired", key: null });
    expect(await keysOf("CLI on too-late")).toEqual([]);
  });

  test("401: an unknown code, and 429 after 100 of them from one network", async () => {
    const { status, body } = await on().redeem("device-unknown", { "X-Forwarded-For": "192.0.2.50" });
    expect([status, body.message]).toEqual([401, "The device code is not valid. Start another login."]);
    const statuses: number[] = [];
    for (let index = 0; index < 100; index++)
      statuses.push((await on().redeem(`device-${index}`, { "X-Forwarded-For": "192.0.2.50" })).status);
    expect(statuses).toEqual([...Array(99).fill(401), 429]);
  });

  test("403: the person was deactivated, or lost the project or the permission, after the approval; no key exists", async () => {
    const [deactivated, removed, demoted] = [await makeMember("Admin"), await makeMember("Admin"), await makeMember("Admin")];
    const logins = [];
    for (const { headers } of [deactivated, removed, demoted]) {
      const login = await found(headers, "lost");
      expect((await on().approve(login.id, headers)).status).toBe(200);
      logins.push(login);
    }
    await server.send("PATCH", `/console/v1/people/${deactivated.person.id}`, { body: { isActive: false } });
    await server.send("DELETE", `/console/v1/projects/default/members/${removed.person.email}`);
    await server.database.prisma.$executeRaw`update member set role = 'Member' where id = ${demoted.person.id}`;
    const answers = [];
    for (const { deviceCode } of logins) answers.push(await on().redeem(deviceCode));
    const gone = "The person who approved the login can no longer access the project.";
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [403, gone],
      [403, gone],
      [403, "Insufficient permissions. This requires the permission manage_keys, which is not given by the role Member."],
    ]);
    expect(await keysOf("CLI on lost")).toEqual([]);
  });
});

describe("a device login", () => {
  test("is deleted an hour after it ended", async () => {
    const { deviceCode } = await startLogin(server);
    const runJob = () =>
      deleteEndedAccess({ idleMs: DAY_MS, longestMs: DAY_MS }).run({ database: server.database, now: () => server.clock.now } as never);
    wait(69 * MINUTE_MS);
    await runJob();
    expect((await on().redeem(deviceCode)).body.data).toEqual({ status: "expired", key: null });
    wait(MINUTE_MS);
    await runJob();
    expect((await on().redeem(deviceCode)).status).toBe(401);
  });

  test("is deleted when the person who approved it loses access", async () => {
    const { person, headers } = await makeMember("Admin");
    const { id, deviceCode } = await found(headers);
    await on().approve(id, headers);
    await writing(server.database, (db) => endAccess(db, person));
    expect((await on().redeem(deviceCode)).status).toBe(401);
  });
});
