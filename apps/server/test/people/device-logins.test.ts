import { createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deviceLogins, findStarted, makeMemberAs, startLogin } from "../support/device-logins.ts";
import { makePerson } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const ADDRESS = "192.0.2.1";
const UNKNOWN_CODE = "No open login has this code. Compare it with the code in your terminal, or start another login there.";

let server: TestServer;
let administrator: Awaited<ReturnType<typeof makePerson>>;
beforeAll(async () => {
  server = await startServer({ trustedProxies: ["loopback"] });
  administrator = await makePerson(server, { isAdministrator: true });
});
afterAll(() => server.close());

const on = () => deviceLogins(server);
const wait = (ms = 5_000) => {
  server.clock.now += ms;
};

const found = (headers = administrator.headers, host?: string) => findStarted(server, headers, host);
const makeMember = (role: string) => makeMemberAs(server, role);

describe("startDeviceLogin", () => {
  test("200: returns two codes and the page for one of them, and stores only a hash of the secret one", async () => {
    const { deviceCode, userCode, verificationUrl, expiresTime, interval } = await startLogin(server, "stored-hash");
    expect([deviceCode, userCode]).toEqual([
      expect.stringMatching(/^device-\w{44}$/),
      expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    ]);
    expect([verificationUrl, expiresTime, interval]).toEqual([`${server.url}/device`, server.clock.now + 10 * MINUTE_MS, 5]);
    const stored = await server.database.prisma.deviceLogin.findFirstOrThrow({ where: { host: "stored-hash" } });
    expect(stored).toMatchObject({ host: "stored-hash", address: ADDRESS, state: "pending" });
    expect(Object.values(stored)).not.toContain(deviceCode);
  });

  test("200: the page has the public URL with its base path", async () => {
    const replica = await server.replica(undefined, { publicUrl: "https://example.com/flags" });
    const { body } = await replica.send("POST", "/flags/console/v1/device_logins", { body: { host: "laptop" } });
    expect(body.data.verificationUrl).toBe("https://example.com/flags/device");
    await replica.close();
  });

  test.each([
    ["a line break", "laptop\nApproved"],
    ["a mark that reverses text", "laptop\u202Egro.elpmaxe"],
    ["only spaces", "   "],
    ["more than 100 characters", "x".repeat(101)],
  ])("400: a host with %s", async (_, host) => {
    const { status, body } = await server.send("POST", "/console/v1/device_logins", { body: { host } });
    expect([status, body.errors[0].property]).toEqual([400, "host"]);
  });

  test("429: the 51st unredeemed login of a network; other networks can still start one", async () => {
    const start = async (address: string) => {
      const headers = { "X-Forwarded-For": address };
      return server.send("POST", "/console/v1/device_logins", { body: { host: "laptop" }, headers });
    };
    const statuses: number[] = [];
    for (let index = 0; index < 51; index++) statuses.push((await start(`2001:db8:0:1::${index}`)).status);
    expect(statuses).toEqual([...Array(50).fill(200), 429]);
    const { body, headers } = await start("2001:db8:0:1::9999");
    expect(body.message).toBe("There were too many device logins. Try again after Retry-After seconds.");
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await start("2001:db8:0:2::1")).status).toBe(200);
  });

  test("429: a server with 1,000 open logins, until they end", async () => {
    await server.database.prisma.$executeRaw`
      insert into device_login (id, hash, "userCode", host, "createdTime", "endsTime", state)
      select 'many' || n, 'many' || n, 'many' || n, 'many', 0, ${server.clock.now + 10 * MINUTE_MS}, 'pending' from generate_series(1, 1000) as n`;
    const start = () =>
      server.send("POST", "/console/v1/device_logins", { body: { host: "laptop" }, headers: { "X-Forwarded-For": "192.0.2.9" } });
    const { status, headers } = await start();
    expect([status, headers.get("Retry-After")]).toEqual([429, "600"]);
    await server.database.prisma.$executeRaw`update device_login set "endsTime" = ${server.clock.now} where host = 'many'`;
    expect((await start()).status).toBe(200);
  });
});

describe("findDeviceLogin", () => {
  test("200: shows what the person compares, however they type the code", async () => {
    const { userCode, expiresTime } = await startLogin(server, "Adas MacBook");
    for (const typed of [userCode, userCode.toLowerCase(), ` ${userCode.replace("-", " ")}`]) {
      const { status, body } = await on().find(typed, { ...administrator.headers, "X-Forwarded-For": ADDRESS });
      const times = { createdTime: server.clock.now, expiresTime };
      expect([status, body.data]).toEqual([
        200,
        { id: expect.any(String), host: "Adas MacBook", address: ADDRESS, isFromYourNetwork: true, ...times },
      ]);
    }
    const elsewhere = await on().find(userCode, { ...administrator.headers, "X-Forwarded-For": "198.51.100.1" });
    expect(elsewhere.body.data.isFromYourNetwork).toBe(false);
  });

  test("200: behind a proxy that the server does not trust, the address is unknown and no network is the person's", async () => {
    const replica = await server.replica(undefined, { trustedProxies: [] });
    const { userCode } = await startLogin(replica);
    for (const headers of [administrator.headers, { ...administrator.headers, "X-Forwarded-For": ADDRESS }]) {
      const { status, body } = await deviceLogins(replica).find(userCode, headers);
      expect([status, body.data.address, body.data.isFromYourNetwork]).toEqual([200, null, false]);
    }
    const direct = await replica.send("POST", "/console/v1/device_logins", { body: { host: "laptop" } });
    const findDirect = async (headers: Record<string, string>) =>
      (await deviceLogins(replica).find(direct.body.data.userCode, { ...administrator.headers, ...headers })).body.data.isFromYourNetwork;
    expect([await findDirect({}), await findDirect({ "X-Forwarded-For": ADDRESS })]).toEqual([true, false]);
    await replica.close();
  });

  test("400: text of another form does not count as a wrong code", async () => {
    const { headers } = await makePerson(server);
    for (let index = 0; index < 12; index++) expect((await on().find("HELLO", headers)).status).toBe(400);
    const { body } = await on().find("AEIO-UAEI", headers);
    expect(body.errors).toEqual([{ property: "userCode", errorMessage: "must be a code of 8 letters out of BCDFGHJKLMNPQRSTVWXZ" }]);
  });

  test("404: a login that was decided or has ended", async () => {
    const { headers } = administrator;
    const [rejected, ended] = [await found(), await found()];
    await on().reject(rejected.id, headers);
    wait(10 * MINUTE_MS);
    for (const { userCode } of [rejected, ended]) {
      const { status, body } = await on().find(userCode, headers);
      expect([status, body.message]).toEqual([404, UNKNOWN_CODE]);
    }
  });

  test("429: after ten wrong codes of a person, even the right one, which others still find", async () => {
    const { headers } = await makePerson(server);
    const { userCode } = await startLogin(server);
    const statuses: number[] = [];
    for (let index = 0; index < 5; index++) statuses.push((await on().find(userCode, headers)).status);
    statuses.push(...(await Promise.all(Array.from({ length: 12 }, () => on().find("BBBB-BBBB", headers)))).map(({ status }) => status));
    expect(statuses.toSorted()).toEqual([...Array(5).fill(200), ...Array(10).fill(404), 429, 429]);
    const { status, body } = await on().find(userCode, headers);
    expect([status, body.message]).toEqual([429, "There were too many wrong codes. Try again after Retry-After seconds."]);
    expect((await on().find(userCode, administrator.headers)).status).toBe(200);
  });
});

describe("approveDeviceLogin", () => {
  test("200: lets the device get a key with the chosen project, access and expiry, in the name of the person", async () => {
    const { id, deviceCode } = await found(administrator.headers, "ci-runner");
    expect((await on().approve(id, administrator.headers, { access: "read", expiresAfterDays: 7 })).status).toBe(200);
    const { body } = await on().redeem(deviceCode);
    expect([body.message, body.data.status]).toEqual(["Device login redeemed successfully.", "completed"]);
    const { data: key } = await server.client.getKey({ path: { id: body.data.key } });
    expect(key).toMatchObject({
      ...{ type: "CONSOLE", description: "CLI on ci-runner", scopes: ["omni_read_only"], role: null, status: "active" },
      ...{ expiresTime: server.clock.now + 7 * DAY_MS, creatorID: administrator.person.id },
    });
    const client = createConsoleClient({ baseUrl: server.url, apiKey: body.data.key });
    expect((await client.getProject()).data.id).toBe("default");
  });

  test("200: a member's key has their role, so that it follows the role", async () => {
    const member = await makeMember("Admin");
    const { id, deviceCode } = await found(member.headers, "of-a-member");
    expect((await on().approve(id, member.headers)).status).toBe(200);
    const { data } = (await on().redeem(deviceCode)).body;
    const { data: key } = await server.client.getKey({ path: { id: data.key } });
    expect(key).toMatchObject({ role: "Admin", scopes: ["omni_read_write"], expiresTime: server.clock.now + 90 * DAY_MS });
  });

  test("200: the audit logs have who approved it and where the device is, and no code or key", async () => {
    const { id, deviceCode, userCode } = await found(administrator.headers, "audited");
    await on().approve(id, administrator.headers);
    const { key } = (await on().redeem(deviceCode, { "X-Forwarded-For": "203.0.113.7" })).body.data;
    const entries = await server.database.prisma.change.findMany({ where: { reason: { contains: "audited" } }, orderBy: { seq: "asc" } });
    const { id: actorID } = administrator.person;
    expect(entries).toHaveLength(2);
    expect(entries).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ projectID: "instance", entityType: "session", operationID: "approveDeviceLogin", actorID },
          reason: `Approved a login of the command line on audited (${ADDRESS}) to the project default.`,
        }),
        expect.objectContaining({
          ...{ projectID: "default", entityType: "key", operationID: "createKey", actorID, address: "203.0.113.7" },
          reason: "Approved as a login of the command line on audited.",
        }),
      ]),
    );
    const written = [JSON.stringify(entries, (_, value) => (typeof value === "bigint" ? `${value}` : value)), ...server.logged].join("\n");
    for (const secret of [deviceCode, key, userCode, userCode.replace("-", "")]) expect(written).not.toContain(secret);
  });

  test("200: repeated, it has no further effect; 409 with other choices, by somebody else, and after a rejection", async () => {
    const { headers } = administrator;
    const other = await makePerson(server, { isAdministrator: true });
    const [approved, rejected] = [await found(), await found()];
    await on().approve(approved.id, headers);
    await on().reject(rejected.id, headers);
    const answers = [
      await on().approve(approved.id, headers),
      await on().approve(approved.id, headers, { access: "read" }),
      await on().approve(approved.id, other.headers),
      await on().approve(rejected.id, headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 409, 409]);
    expect(answers[3]?.body.message).toBe(`Device login ${rejected.id} was already denied. Start another login.`);
  });

  test("403: without the permission to manage keys, in another project, and with a key", async () => {
    const member = await makeMember("Member");
    const { id, deviceCode } = await found(member.headers);
    const needs = "Insufficient permissions. This requires the permission manage_keys, which is not given by";
    const refused = await on().approve(id, member.headers);
    expect([refused.status, refused.body.message]).toEqual([403, `${needs} the role Member.`]);
    const elsewhere = await on().approve(id, member.headers, { projectID: "elsewhere" });
    expect([elsewhere.status, elsewhere.body.message]).toEqual([403, `${needs} a role in the project elsewhere.`]);
    const withKey = await server.send("POST", `/console/v1/device_logins/${id}/approve`, {
      key: server.key,
      body: { projectID: "default", access: "read" },
    });
    expect(withKey.status).toBe(403);
    expect((await on().redeem(deviceCode)).body.data).toEqual({ status: "pending", key: null });
  });

  test("404: a login that has ended", async () => {
    const { id, deviceCode } = await found();
    wait(10 * MINUTE_MS);
    const { status, body } = await on().approve(id, administrator.headers);
    expect([status, body.message]).toEqual([404, `Device login ${id} does not exist.`]);
    expect((await on().redeem(deviceCode)).body.data).toEqual({ status: "expired", key: null });
  });
});

describe("rejectDeviceLogin", () => {
  test("200: the device gets no key; repeated, it has no further effect, and 409 after an approval", async () => {
    const [rejected, approved] = [await found(), await found()];
    const { headers } = administrator;
    for (let index = 0; index < 2; index++) expect((await on().reject(rejected.id, headers)).status).toBe(200);
    expect((await on().redeem(rejected.deviceCode)).body.data).toEqual({ status: "denied", key: null });
    await on().approve(approved.id, headers);
    expect((await on().reject(approved.id, headers)).status).toBe(409);
  });
});
