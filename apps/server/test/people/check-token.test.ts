import { createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePerson, makeToken } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const HOUR_MS = 3_600_000;
const check = (token: string | null | undefined) => server.send("POST", "/console/v1/session/redeem/check", { key: null, body: { token } });
const UNKNOWN = { status: 401, code: "unauthorized", message: "The token does not exist or no longer works. Ask for a new one." };

describe("checkToken", () => {
  test("200: returns the inviter, the project and the address of an invitation, and leaves it valid", async () => {
    const { person, session } = await makePerson(server, { isAdministrator: true });
    const client = createConsoleClient({ baseUrl: server.url, session, projectID: "default" });
    const { data } = await client.inviteUsers({ body: { role: "Member", emails: ["Kim@example.com"] } });
    const use = {
      purpose: "invitation",
      email: "kim@example.com",
      projectName: (await client.getProjectByID({ path: { id: "default" } })).data.name,
      invitedBy: `${person.firstName} ${person.lastName}`,
      expiresTime: server.clock.now + 72 * HOUR_MS,
    };
    for (let times = 0; times < 2; times++) expect((await check(data[0]?.token)).body.data).toEqual(use);
  });

  test("200: has no project for other tokens, and no person for an administrator's", async () => {
    const { person } = await makePerson(server);
    const rest = { projectName: null, invitedBy: null, expiresTime: server.clock.now + 72 * HOUR_MS };
    const reset = await check(await makeToken(server, "password_reset", person.id));
    expect(reset.body.data).toEqual({ purpose: "password_reset", email: person.email, ...rest });
    const administrator = await check(await makeToken(server, "administrator"));
    expect(administrator.body.data).toEqual({ purpose: "administrator", email: null, ...rest });
  });

  test("401: refuses unknown, expired and revoked tokens, and those of deactivated people, with the same text", async () => {
    const [{ person }, { person: leaving }] = [await makePerson(server), await makePerson(server)];
    const revoked = await makeToken(server, "password_reset", person.id);
    await server.database.prisma.oneTimeToken.deleteMany({ where: { personID: person.id } });
    const deactivated = await makeToken(server, "password_reset", leaving.id);
    await server.send("PATCH", `/console/v1/people/${leaving.id}`, { body: { isActive: false } });
    const expired = await makeToken(server, "administrator");
    server.clock.now += 72 * HOUR_MS;
    for (const token of ["once-unknown", revoked, deactivated, expired]) expect((await check(token)).body).toEqual(UNKNOWN);
  });
});
