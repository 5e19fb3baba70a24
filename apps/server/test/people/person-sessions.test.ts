import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insufficient } from "../support/keys.ts";
import { makePerson, readSecret, signIn } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { asPerson } from "../support/sessions.ts";
import { TEST_ADMINISTRATOR } from "../support/template-database.ts";

// acting-on-people.test.ts sends these operations with every kind of caller.

const PASSWORD = "correct horse battery staple";

let server: TestServer;
let replica: TestServer;
let administrator: { key: null; headers: Record<string, string> };
beforeAll(async () => {
  server = await startServer();
  replica = await server.replica();
  administrator = { key: null, headers: asPerson(readSecret((await signIn(server, TEST_ADMINISTRATOR)).headers)) };
});
afterAll(async () => {
  await replica.close();
  await server.close();
});

const sessionsOf = async (id: string) => (await server.send("GET", `/console/v1/people/${id}/sessions`, administrator)).body.data;
const end = (id: string, session = "") => server.send("DELETE", `/console/v1/people/${id}/sessions${session}`, administrator);
const statusOf = async (at: TestServer, headers: Record<string, string>) =>
  (await at.send("GET", "/console/v1/session", { key: null, headers })).status;

/** A person who has signed in twice. */
async function makeTwice() {
  const { person, headers } = await makePerson(server, { password: PASSWORD });
  const { headers: answered } = await signIn(server, { email: person.email, password: PASSWORD }, { "User-Agent": "a browser" });
  const secret = readSecret(answered);
  return { person, earlier: headers, later: asPerson(secret), secret };
}

describe("listPersonSessions", () => {
  test("200: shows when and from where the person uses each session, and no secret", async () => {
    const { person, secret } = await makeTwice();
    const { status, body, text } = await server.send("GET", `/console/v1/people/${person.id}/sessions`, administrator);
    const times = { createdTime: server.clock.now, lastUsedTime: server.clock.now, endsTime: expect.any(Number) };
    const id = expect.any(String);
    expect([status, body.data]).toEqual([
      200,
      expect.arrayContaining([
        { id, ...times, address: "127.0.0.1", userAgent: "a browser" },
        { id, ...times, address: null, userAgent: null },
      ]),
    ]);
    const rows = await server.database.prisma.session.findMany({ where: { personID: person.id } });
    for (const hidden of [secret, ...rows.map(({ hash }) => hash)]) expect(text).not.toContain(hidden);
  });

  test("200: leaves out sessions that ended for lack of use", async () => {
    const fresh = await startServer();
    const { person } = await makePerson(fresh);
    fresh.clock.now += 13 * 60 * 60 * 1000;
    const { headers } = await signIn(fresh, TEST_ADMINISTRATOR);
    const asked = { key: null, headers: asPerson(readSecret(headers)) };
    expect((await fresh.send("GET", `/console/v1/people/${person.id}/sessions`, asked)).body.data).toEqual([]);
    await fresh.close();
  });

  test("403: sessions of a server administrator, for a key; 404: sessions of people outside the project", async () => {
    const { person } = await makePerson(server, { isAdministrator: true });
    await server.client.updateProjectMember({ path: { id: "default", email: person.email }, body: { role: "Viewer" } });
    const refused = await server.send("GET", `/console/v1/people/${person.id}/sessions`);
    expect([refused.status, refused.body]).toEqual([403, insufficient("the session of a server administrator")]);
    const { person: stranger } = await makePerson(server);
    expect((await server.send("GET", `/console/v1/people/${stranger.id}/sessions`)).status).toBe(404);
  });
});

describe("endPersonSession and endPersonSessions", () => {
  test("200: every replica refuses the session that was ended, and no other", async () => {
    const { person, earlier, later } = await makeTwice();
    const { id } = (await sessionsOf(person.id)).find(({ userAgent }: { userAgent: string | null }) => userAgent === "a browser");
    expect((await end(person.id, `/${id}`)).status).toBe(200);
    for (const at of [server, replica]) expect([await statusOf(at, later), await statusOf(at, earlier)]).toEqual([401, 200]);
    expect((await end(person.id, `/${id}`)).status).toBe(404);
  });

  test("200: every replica refuses all sessions of the person, who can sign in again", async () => {
    const { person, earlier, later } = await makeTwice();
    const { headers: other } = await makePerson(server);
    expect((await end(person.id)).status).toBe(200);
    for (const at of [server, replica]) {
      expect([await statusOf(at, earlier), await statusOf(at, later), await statusOf(at, other)]).toEqual([401, 401, 200]);
    }
    expect(await sessionsOf(person.id)).toEqual([]);
    expect((await signIn(server, { email: person.email, password: PASSWORD })).status).toBe(200);
  });

  test("404: a session of somebody else goes on", async () => {
    const [{ person }, { person: other, headers }] = [await makePerson(server), await makePerson(server)];
    const [{ id }] = await sessionsOf(other.id);
    expect([(await end(person.id, `/${id}`)).status, await statusOf(server, headers)]).toEqual([404, 200]);
  });

  test("the audit log of the instance has who ended whose sessions", async () => {
    const { person } = await makeTwice();
    const [{ id }] = await sessionsOf(person.id);
    await end(person.id, `/${id}`);
    await end(person.id);
    // This one finds no session, so the log gets no entry.
    await end(person.id);
    const { body } = await server.send("GET", "/console/v1/instance/audit_logs?limit=1000", administrator);
    const entries = body.data.filter(({ reason }: { reason: string | null }) => reason?.includes(person.email));
    const by = { entityType: "session", modifierEmail: TEST_ADMINISTRATOR.email, address: "127.0.0.1" };
    expect(entries).toMatchObject([
      { ...by, operationID: "endPersonSessions", entityID: person.id, reason: `Ended all sessions of ${person.email}.` },
      { ...by, operationID: "endPersonSession", entityID: id, reason: `Ended a session of ${person.email}.` },
    ]);
  });
});
