import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fill, operations, requiredAccess } from "../support/operations.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { makePerson, readCookie, readSecret, signIn as sign } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { asPerson } from "../support/sessions.ts";
import { TEST_ADMINISTRATOR, TEST_KEY } from "../support/template-database.ts";

const HOUR_MS = 3_600_000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Headers = Record<string, string>;
/** Signs the administrator in. @returns the headers of their requests */
async function signIn(at = server): Promise<Headers> {
  const { status, headers } = await sign(at, TEST_ADMINISTRATOR);
  expect(status).toBe(200);
  return asPerson(readSecret(headers));
}

const read = async (headers: Headers, at = server) => (await at.send("GET", "/console/v1/gates?limit=1", { key: null, headers })).status;

describe("signing in", () => {
  test("returns the person, their projects, and their role and permissions in each", async () => {
    const { status, body } = await sign(server, TEST_ADMINISTRATOR);
    expect([status, body.message]).toEqual([200, "Signed in successfully."]);
    const { person, projects, defaultProjectID, endsTime } = body.data;
    expect(person).toMatchObject({ email: "ada@example.com", isAdministrator: true });
    expect([projects.length, projects[0]]).toMatchObject([
      1,
      { id: "default", name: "default", role: "Admin", permissions: { manage_keys: true } },
    ]);
    expect([defaultProjectID, endsTime]).toEqual(["default", server.clock.now + 14 * 24 * HOUR_MS]);
  });

  test("takes an address in any case, with spaces around it refused", async () => {
    expect((await sign(server, { ...TEST_ADMINISTRATOR, email: "ADA@Example.com" })).status).toBe(200);
    expect((await sign(server, { ...TEST_ADMINISTRATOR, email: " ada@example.com" })).status).toBe(400);
  });

  test("sets a cookie that no script can read and no other site can send, for as long as the session can last", async () => {
    expect(readCookie((await sign(server, TEST_ADMINISTRATOR)).headers)).toMatch(
      /^gatehouse_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  test("sets a cookie for https alone, bound to the host, where the public URL is https", async () => {
    const secure = await server.replica(undefined, { publicUrl: "https://flags.example.com" });
    const { headers } = await sign(secure, TEST_ADMINISTRATOR);
    expect(readCookie(headers)).toMatch(
      /^__Host-gatehouse_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const cookie = { Cookie: `__Host-gatehouse_session=${readSecret(headers)}` };
    expect([await read(cookie, secure), await read({ Cookie: cookie.Cookie.slice("__Host-".length) }, secure)]).toEqual([200, 401]);
    await secure.close();
  });

  test("ends the oldest session of somebody who has 100", async () => {
    const { person, headers } = await makePerson(server, { email: "often@example.com", password: "a pass phrase for often" });
    await server.database.prisma.$executeRaw`
      insert into session (id, hash, "personID", "createdTime", "lastUsedTime", "endsTime")
      select 'often ' || number, 'often ' || number, ${person.id}, "createdTime" + number, "lastUsedTime", "endsTime"
      from session, generate_series(1, 99) as number where "personID" = ${person.id}`;
    const { status, headers: answered } = await sign(server, { email: person.email, password: "a pass phrase for often" });
    expect([status, await read(headers)]).toEqual([200, 401]);
    const own = { key: null, headers: asPerson(readSecret(answered)) };
    const { data } = (await server.send("GET", "/console/v1/sessions", own)).body;
    expect([data.length, data.some(({ id }: { id: string }) => id === "often 1")]).toEqual([100, true]);
  });

  test("stores neither the cookie's value nor the password", async () => {
    const secret = readSecret((await sign(server, TEST_ADMINISTRATOR)).headers);
    const { prisma } = server.database;
    const rows = JSON.stringify(
      [await prisma.session.findMany(), await prisma.password.findMany(), await prisma.change.findMany()],
      (_, value) => (typeof value === "bigint" ? Number(value) : value),
    );
    expect(rows).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
    for (const hidden of [secret, TEST_ADMINISTRATOR.password]) expect(rows).not.toContain(hidden);
  });

  test("answers the same text for a wrong password, an unknown person, one without a password and one who is deactivated", async () => {
    const { person } = await makePerson(server);
    const gone = await makePerson(server, { password: TEST_ADMINISTRATOR.password });
    await server.send("PATCH", `/console/v1/people/${gone.person.id}`, { body: { isActive: false } });
    const wrong = [
      { ...TEST_ADMINISTRATOR, password: "not the password" },
      { email: "nobody@example.com", password: "not the password" },
      { email: person.email, password: "not the password" },
      { email: gone.person.email, password: TEST_ADMINISTRATOR.password },
    ];
    for (const given of wrong) {
      const { status, body, headers } = await sign(server, given);
      const refused = { status: 401, code: "unauthorized", message: "The email address or the password is wrong." };
      expect([status, body, readCookie(headers)]).toEqual([401, refused, ""]);
    }
  });

  test("takes no dry run, and ignores an Idempotency-Key", async () => {
    const path = "/console/v1/session?dryRun=true";
    expect((await server.send("POST", path, { body: TEST_ADMINISTRATOR })).status).toBe(400);
    const headers = { "Idempotency-Key": "sign-in" };
    const secrets = [await sign(server, TEST_ADMINISTRATOR, headers), await sign(server, TEST_ADMINISTRATOR, headers)].map((one) =>
      readSecret(one.headers),
    );
    expect(new Set(secrets).size).toBe(2);
  });
});

describe("a session", () => {
  test("opens every operation that the person's permissions open, and names them in the change log and in what they write", async () => {
    const headers = await signIn();
    const { status, body } = await server.send("POST", "/console/v1/gates", { key: null, headers, body: { name: "by a person" } });
    expect(status).toBe(201);
    const { data } = (await server.send("GET", "/console/v1/session", { headers })).body;
    expect(body.data).toMatchObject({
      ...{ creatorID: data.person.id, creatorName: "ada@example.com", creatorEmail: "ada@example.com" },
      ...{ lastModifierID: data.person.id, lastModifierName: "ada@example.com", lastModifierEmail: "ada@example.com" },
    });
    expect(await server.database.prisma.change.findFirst({ where: { entityID: "by_a_person" } })).toMatchObject({
      projectID: "default",
      actorID: data.person.id,
      actorName: "ada@example.com",
    });
  });

  test("ends when the person signs out, with its cookie", async () => {
    const headers = await signIn();
    const answer = await server.send("DELETE", "/console/v1/session", { headers });
    expect([answer.status, readCookie(answer.headers)]).toEqual([200, "gatehouse_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict"]);
    expect((await server.send("GET", "/console/v1/gates", { key: null, headers })).body).toEqual({
      status: 401,
      code: "unauthorized",
      message: "The session has ended. Sign in again.",
    });
  });

  test("is ended on every server at once", async () => {
    const replica = await server.replica();
    const headers = await signIn();
    expect(await read(headers, replica)).toBe(200);
    await server.send("DELETE", "/console/v1/session", { headers });
    expect(await read(headers, replica)).toBe(401);
    await replica.close();
  });

  test("can be listed and ended from another session of the person, and only from there", async () => {
    const [one, other] = [await makePerson(server), await makePerson(server)];
    const { data } = (await server.send("GET", "/console/v1/sessions", { headers: one.headers })).body;
    expect(data).toMatchObject([{ isCurrent: true, createdTime: server.clock.now, lastUsedTime: server.clock.now }]);
    const end = (headers: Headers) => server.send("DELETE", `/console/v1/sessions/${data[0].id}`, { headers });
    expect((await end(other.headers)).status).toBe(404);
    expect((await end(one.headers)).status).toBe(200);
    expect((await server.send("GET", "/console/v1/session", { headers: one.headers })).status).toBe(401);
  });

  test("names the address and the program of the sign-in", async () => {
    const { headers } = await sign(server, TEST_ADMINISTRATOR, { "User-Agent": `Browser ${"x".repeat(300)}` });
    const { body } = await server.send("GET", "/console/v1/sessions", { headers: asPerson(readSecret(headers)) });
    const current = body.data.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    expect(current).toMatchObject({ address: "127.0.0.1", userAgent: `Browser ${"x".repeat(248)}` });
  });

  test("ends after twelve hours without a request, and after fourteen days in any case", async () => {
    const aging = await startServer();
    const [idle, used] = [await signIn(aging), await signIn(aging)];
    for (let halfDay = 0; halfDay < 28; halfDay++) {
      aging.clock.now += 12 * HOUR_MS - 1;
      expect([halfDay, await read(used, aging)]).toEqual([halfDay, 200]);
      // The use is recorded beside the request.
      await expect.poll(async () => await aging.database.prisma.session.count({ where: { lastUsedTime: aging.clock.now } })).toBe(1);
    }
    expect(await read(idle, aging)).toBe(401);
    aging.clock.now += HOUR_MS;
    expect(await read(used, aging)).toBe(401);
    await aging.close();
  });

  test("ends with the activity of its person", async () => {
    const { person, headers } = await makePerson(server, { isAdministrator: true });
    expect(await read(headers)).toBe(200);
    await server.send("PATCH", `/console/v1/people/${person.id}`, { body: { isActive: false } });
    expect(await read(headers)).toBe(401);
    await server.send("PATCH", `/console/v1/people/${person.id}`, { body: { isActive: true } });
    expect(await read(headers)).toBe(401);
  });

  test("is ignored beside a key, whether the key is good or not", async () => {
    const headers = { ...(await signIn()), "Sec-Fetch-Site": "cross-site" };
    const write = (key: string) => server.send("POST", "/console/v1/tags?dryRun=true", { key, headers, body: { name: "beside" } });
    expect([(await write(TEST_KEY)).status, (await write("console-unknown")).status, (await write("")).status]).toEqual([200, 401, 401]);
    expect((await write(TEST_KEY)).body.data.creatorName).toBe("CONSOLE API");
  });

  test("is required for account operations: an API key gets 403, and a request without credentials gets 401", async () => {
    const answers = [
      await server.send("GET", "/console/v1/session", { key: TEST_KEY }),
      await server.send("GET", "/console/v1/session", { key: null }),
    ];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
      [403, "Insufficient permissions. This requires the session of a person."],
      [401, "An active API key is required in the header SERVICE-API-KEY."],
    ]);
  });
});

describe("an operation of one's own session", () => {
  test.each(operations.filter((one) => requiredAccess(one) === "session"))(
    "$operationId: 403 with a key",
    async ({ method, path, example }) => {
      const { status, body } = await server.send(method, fill(path, {}), { key: TEST_KEY, body: example });
      expect([status, body.message]).toEqual([403, "Insufficient permissions. This requires the session of a person."]);
    },
  );
});

describe("a request with a session", () => {
  const write = (headers: Headers) => server.send("POST", "/console/v1/tags?dryRun=true", { key: null, headers, body: { name: "forged" } });
  const refusal = "Insufficient permissions. This requires a request from a page of the same origin.";
  const advice = "If a proxy changes the Host header, set GATEHOUSE_PUBLIC_URL to the address of the page.";

  test.each([
    ["says that it is from the same origin", { "Sec-Fetch-Site": "same-origin" }, 200],
    ["says that it is from another site", { "Sec-Fetch-Site": "cross-site" }, 403],
    ["says that it is from another host of the site", { "Sec-Fetch-Site": "same-site" }, 403],
    ["was typed by a user", { "Sec-Fetch-Site": "none" }, 403],
    ["says that it is from another site, with the right Origin", { "Sec-Fetch-Site": "cross-site", Origin: "own" }, 403],
    ["has the server's Origin alone", { Origin: "own" }, 200],
    ["has another Origin", { Origin: "https://evil.example" }, 403],
    ["has the Origin null", { Origin: "null" }, 403],
    ["says nothing", {}, 403],
  ])("that writes and %s is answered as such", async (_, given: Headers, status) => {
    const { Cookie = "" } = await signIn();
    const headers = { ...given, Cookie, ...(given.Origin === "own" && { Origin: server.url }) };
    const answer = await write(headers);
    expect(answer.status).toBe(status);
    if (status !== 403) return;
    const places = `The page is at ${given.Origin}, and the request was sent to ${server.url}.`;
    const isByOrigin = given.Origin !== undefined && !given["Sec-Fetch-Site"];
    expect(answer.body).toEqual({ status, code: "forbidden", message: isByOrigin ? `${refusal} ${places} ${advice}` : refusal });
  });

  test("may read from anywhere", async () => {
    const { Cookie = "" } = await signIn();
    expect(await read({ Cookie, "Sec-Fetch-Site": "cross-site" })).toBe(200);
  });

  test("cannot be made by a page of another site that signs somebody in", async () => {
    const forged: Record<string, string>[] = [{ "Sec-Fetch-Site": "cross-site" }, { Origin: "https://evil.example" }];
    for (const headers of forged)
      expect((await sign(server, TEST_ADMINISTRATOR, headers)).body).toMatchObject({
        status: 403,
        message: expect.stringContaining(refusal),
      });
  });

  test("names its project in a header, and only administrators can choose any project", async () => {
    await makeOtherProject(server);
    const own = { ...(await signIn()), "GATEHOUSE-PROJECT": "other" };
    await server.send("POST", "/console/v1/gates", { key: null, headers: own, body: { name: "of the other" } });
    expect((await server.send("GET", "/console/v1/gates/of_the_other", { key: null, headers: own })).status).toBe(200);
    expect(await server.client.getGate({ path: { id: "of_the_other" } }).catch(({ status }) => status)).toBe(404);
    const { headers } = await makePerson(server);
    const refused = async (project: Headers) =>
      (await server.send("GET", "/console/v1/gates", { key: null, headers: { ...headers, ...project } })).body.message;
    const requires = "Insufficient permissions. This requires the permission read, which is not given by a role in";
    expect(await refused({ "GATEHOUSE-PROJECT": "other" })).toBe(`${requires} the project other.`);
    expect(await refused({ "GATEHOUSE-PROJECT": "nowhere" })).toBe(`${requires} the project nowhere.`);
    expect(await refused({ "GATEHOUSE-PROJECT": "instance" })).toBe(`${requires} the project instance.`);
    expect(await refused({})).toBe(`${requires} any project.`);
  });
});
