import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insufficient } from "../support/keys.ts";
import { makePerson } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const PASSWORD = "correct horse battery staple";
const ANOTHER = "seven bridges of Königsberg";
const LIFETIME_MS = 72 * 60 * 60 * 1000;

const reset = (id: string) => server.send("POST", `/console/v1/people/${id}/password_reset`);
const revoke = (id: string) => server.send("DELETE", `/console/v1/people/${id}/password_reset`);
const redeem = (email: string, token: string) =>
  server.send("POST", "/console/v1/session/redeem", { body: { token, email, password: ANOTHER } });
const signIn = (email: string, password: string) => server.send("POST", "/console/v1/session", { body: { email, password } });
const listed = async (email: string) =>
  (await server.send("GET", "/console/v1/password_resets?limit=100")).body.data.find((one: { email: string }) => one.email === email);

describe("createPasswordReset", () => {
  test("200: a person with a password sets another one, which ends their sessions", async () => {
    const { person, headers } = await makePerson(server, { password: PASSWORD });
    const { body } = await reset(person.id);
    expect(body.data).toEqual({
      email: person.email,
      token: expect.stringMatching(/^once-\w+$/),
      url: `${server.url}/welcome#${body.data.token}`,
      expiresAt: server.clock.now + LIFETIME_MS,
      isEmailed: false,
    });
    expect((await signIn(person.email, PASSWORD)).status).toBe(200);
    expect((await redeem(person.email, body.data.token)).status).toBe(200);
    expect((await server.send("GET", "/console/v1/session", { headers })).status).toBe(401);
    expect([(await signIn(person.email, PASSWORD)).status, (await signIn(person.email, ANOTHER)).status]).toEqual([401, 200]);
  });

  test("200: a person without a password gets one; their invitation no longer works", async () => {
    const invited = (await server.client.inviteUsers({ body: { role: "Viewer", emails: ["new@example.com"] } })).data[0];
    const { id } = (await server.client.getUser({ path: { email: "new@example.com" } })).data;
    const { token } = (await reset(id)).body.data;
    expect((await redeem("new@example.com", invited?.token ?? "")).status).toBe(401);
    expect((await redeem("new@example.com", token)).body.data.projects[0].role).toBe("Viewer");
  });

  test("200: earlier tokens of the person no longer work", async () => {
    const { person } = await makePerson(server);
    const first = (await reset(person.id)).body.data.token;
    const second = (await reset(person.id)).body.data.token;
    expect([(await redeem(person.email, first)).status, (await redeem(person.email, second)).status]).toEqual([401, 200]);
  });

  test("401: the token after 72 hours", async () => {
    const fresh = await startServer();
    const { person } = await makePerson(fresh);
    const { token } = (await fresh.send("POST", `/console/v1/people/${person.id}/password_reset`)).body.data;
    fresh.clock.now += LIFETIME_MS;
    const body = { token, email: person.email, password: ANOTHER };
    expect((await fresh.send("POST", "/console/v1/session/redeem", { body })).status).toBe(401);
    await fresh.close();
  });

  test("403: only a server administrator resets a password", async () => {
    const { person, headers } = await makePerson(server);
    await server.client.inviteUsers({ body: { role: "Admin", emails: [person.email] } });
    const { status, body } = await server.send("POST", `/console/v1/people/${person.id}/password_reset`, { key: null, headers });
    expect([status, body]).toEqual([403, insufficient("the session of a server administrator")]);
  });

  test("409: a person who is deactivated", async () => {
    const { person } = await makePerson(server);
    await server.send("PATCH", `/console/v1/people/${person.id}`, { body: { isActive: false } });
    expect((await reset(person.id)).status).toBe(409);
  });

  test("The audit log says who made it, and never the token", async () => {
    const { person } = await makePerson(server);
    const { token } = (await reset(person.id)).body.data;
    const [change] = await server.database.prisma.change.findMany({ where: { entityID: person.id, operationID: "createPasswordReset" } });
    expect(change).toMatchObject({ entityType: "person", version: 2, projectID: "instance" });
    expect(JSON.stringify([change?.before, change?.after])).not.toContain(token);
  });
});

describe("listPasswordResets and deletePasswordReset", () => {
  test("200: shows each reset's person and expiry; a revoked reset is gone, and its token does not work", async () => {
    const { person } = await makePerson(server);
    const { token } = (await reset(person.id)).body.data;
    expect(await listed(person.email)).toEqual({
      personID: person.id,
      email: person.email,
      createdTime: server.clock.now,
      expiresAt: server.clock.now + LIFETIME_MS,
    });
    expect((await revoke(person.id)).status).toBe(200);
    expect([await listed(person.email), (await redeem(person.email, token)).status]).toEqual([undefined, 401]);
  });

  test("404: a person without one", async () => {
    const { person } = await makePerson(server);
    const { status, body } = await revoke(person.id);
    expect([status, body.message]).toEqual([404, `Password reset of ${person.email} does not exist.`]);
  });
});
