import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { overtake } from "../support/faults.ts";
import { insufficient, makeKey } from "../support/keys.ts";
import { needs } from "../support/needs.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { makePerson } from "../support/people.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const PASSWORD = "correct horse battery staple";
const LIFETIME_MS = 72 * 60 * 60 * 1000;

const invite = async (emails: string[], role = "Member", teams: string[] = []) =>
  (await server.client.inviteUsers({ body: { role, emails, teams } })).data;
const findInvitation = async (address: string) =>
  (await server.client.listInvitations({ query: { limit: 100 } })).data.find(({ email }) => email === address);
const redeem = (email: string, token: string | null | undefined, given: object = {}) =>
  server.send("POST", "/console/v1/session/redeem", { body: { token, email, password: PASSWORD, ...given } });

describe("inviteUsers", () => {
  test("200: a new person gets a token that is shown once, redeems it, and is a member", async () => {
    const [one] = await invite(["Kim@Example.com"]);
    expect(one).toEqual({
      email: "kim@example.com",
      token: expect.stringMatching(/^once-\w+$/),
      url: `${server.url}/welcome#${one?.token}`,
      expiresAt: server.clock.now + LIFETIME_MS,
      isEmailed: false,
    });
    const { status, body } = await redeem("kim@example.com", one?.token, { name: "Kim Lee" });
    expect([status, body.data.person, body.data.projects.map(({ id, role }: { id: string; role: string }) => [id, role])]).toEqual([
      200,
      expect.objectContaining({ email: "kim@example.com", firstName: "Kim", lastName: "Lee", isAdministrator: false }),
      [["default", "Member"]],
    ]);
    expect((await redeem("kim@example.com", one?.token)).status).toBe(401);
    expect((await server.client.getUser({ path: { email: "kim@example.com" } })).data).toMatchObject({ firstName: "Kim", lastName: "Lee" });
  });

  test("200: a person who has a password is a member at once and gets no token", async () => {
    const { person } = await makePerson(server, { email: "known@example.com", password: PASSWORD });
    expect(await invite([person.email], "Viewer")).toEqual([
      { email: person.email, token: null, url: null, expiresAt: null, isEmailed: false },
    ]);
    expect((await server.client.getUser({ path: { email: person.email } })).data.role).toBe("Viewer");
    expect(await findInvitation(person.email)).toBeUndefined();
  });

  test("200: adds them to the teams, by name or id", async () => {
    const { data: team } = await server.client.createTeam({ body: { name: "Payments", admins: ["lead@example.com"] } });
    await invite(["lead@example.com", "team@example.com"], "Member", ["Payments", team.id]);
    const { data } = await server.client.getTeam({ path: { id: "Payments" } });
    expect([data.members.map(({ email }) => email), data.admins.map(({ email }) => email)]).toEqual([
      ["team@example.com"],
      ["lead@example.com"],
    ]);
  });

  test("200: a new invitation replaces the one before, and its role", async () => {
    const [first] = await invite(["twice@example.com"]);
    const [second] = await invite(["twice@example.com"], "Viewer");
    expect((await redeem("twice@example.com", first?.token)).status).toBe(401);
    expect((await redeem("twice@example.com", second?.token)).body.data.projects[0].role).toBe("Viewer");
  });

  test("200: people invited by a server administrator to two projects redeem one token", async () => {
    await makeOtherProject(server);
    const { headers } = await makePerson(server, { isAdministrator: true });
    const send = async (project: string, role: string) => {
      const options = { key: null, headers: { ...headers, "GATEHOUSE-PROJECT": project }, body: { role, emails: ["both@example.com"] } };
      return (await server.send("POST", "/console/v1/users/invite", options)).body.data[0].token;
    };
    const token = await send("other", "Viewer");
    await send("default", "Member");
    const { data } = (await redeem("both@example.com", token)).body;
    expect(data.projects.map(({ role }: { role: string }) => role).sort()).toEqual(["Member", "Viewer"]);
    expect(await findInvitation("both@example.com")).toBeUndefined();
  });

  test("400: a role or teams that do not exist, each with its place", async () => {
    const refused = async (body: { role: string; emails: string[]; teams?: string[] }) =>
      (await refusal(server.client.inviteUsers({ body }))).errors;
    expect(await refused({ role: "Pilot", emails: ["pilot@example.com"] })).toEqual([
      { property: "role", errorMessage: "references role Pilot, which does not exist" },
    ]);
    expect(await refused({ role: "Viewer", emails: ["pilot@example.com"], teams: ["Nobody's", "None"] })).toEqual([
      { property: "teams[0]", errorMessage: "references team Nobody's, which does not exist" },
      { property: "teams[1]", errorMessage: "references team None, which does not exist" },
    ]);
  });

  test("403: a role that permits more than the caller may do, and teams without create_teams", async () => {
    await server.client.createRole({ body: { name: "Inviter", permissions: { read: true, invitation_access: true } } });
    await server.client.createTeam({ body: { name: "Closed" } });
    const { key } = await makeKey(server, { type: "CONSOLE", role: "Inviter" });
    const send = (body: object) =>
      server.send("POST", "/console/v1/users/invite", { key, body: { emails: ["more@example.com"], ...body } });
    const lacks = (permission: string) =>
      insufficient(`the permission ${permission}, which is not given by the scopes of the key and its role Inviter together`);
    expect((await send({ role: "Member" })).body).toEqual(lacks("create_configs"));
    expect((await send({ role: "Viewer", teams: ["Closed"] })).body).toEqual(lacks("create_teams"));
    expect((await send({ role: "Viewer" })).status).toBe(200);
  });

  test("409: a person who is deactivated", async () => {
    const { person } = await makePerson(server, { email: "gone@example.com" });
    await server.send("PATCH", `/console/v1/people/${person.id}`, { body: { isActive: false } });
    expect(await refusal(invite([person.email]))).toMatchObject({
      status: 409,
      message: "gone@example.com is deactivated. A server administrator can activate them.",
    });
  });
});

describe("a link of inviteUsers", () => {
  const noLink = (email: string) => ({ email, token: null, url: null, expiresAt: null, isEmailed: false });
  const makeInviter = async () => {
    await server.client.createRole({ body: { name: "Link maker", permissions: { read: true, invitation_access: true } } });
    return (await makeKey(server, { type: "CONSOLE", role: "Link maker" })).key;
  };
  let inviter: string;
  let other: string;
  beforeAll(async () => {
    inviter = await makeInviter();
    other = await makeOtherProject(server, "elsewhere");
  });
  const sendInvite = (key: string, email: string, role = "Viewer") =>
    server.send("POST", "/console/v1/users/invite", { key, body: { role, emails: [email] } });
  const listProjects = (account: { projects: { id: string; role: string }[] }) => account.projects.map(({ id, role }) => [id, role]);

  test.each([
    ["a role that may invite", () => inviter, "create_configs"],
    [
      "the scope omni_read_write",
      async () => (await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"] })).key,
      "read_audit_logs",
    ],
  ])("is refused to %s for a pending Admin, whose role and link stay", async (name, keyPath, lacking) => {
    const email = `${lacking}@example.com`;
    const [link] = await invite([email], "Admin");
    const key = await keyPath();
    for (const role of ["Admin", "Viewer"]) {
      const { status, body } = await sendInvite(key, email, role);
      expect([name, role, status, body.message]).toEqual([name, role, 403, expect.stringContaining(`the permission ${lacking},`)]);
    }
    expect(listProjects((await redeem(email, link?.token)).body.data)).toEqual([["default", "Admin"]]);
  });

  test.each([
    ["become a member of another project", (email: string) => sendInvite(server.key, email)],
    [
      "get another role",
      (email: string) =>
        server.send("PUT", `/console/v1/projects/elsewhere/members/${encodeURIComponent(email)}`, { key: other, body: { role: "Admin" } }),
    ],
    [
      "become an administrator",
      async (email: string) => {
        const { id } = (await server.send("GET", `/console/v1/users/${encodeURIComponent(email)}`, { key: other })).body.data;
        const { headers } = await makePerson(server, { isAdministrator: true });
        return server.send("PATCH", `/console/v1/people/${id}`, { key: null, headers, body: { isAdministrator: true } });
      },
    ],
    [
      "have a role that permits more",
      () => server.send("PATCH", "/console/v1/roles/Guest", { key: other, body: { permissions: { read: true, read_keys: true } } }),
    ],
  ])("ends when the people %s, since its maker would gain by that", async (what, grant) => {
    const email = `${what.replaceAll(" ", ".")}@example.com`;
    await server.send("POST", "/console/v1/roles", { key: other, body: { name: "Guest", permissions: { read: true } } });
    const [link] = (await sendInvite(other, email, "Guest")).body.data;
    expect((await grant(email)).status).toBe(200);
    expect((await redeem(email, link.token)).status).toBe(401);
  });

  test("is refused in a batch as well", async () => {
    const email = "in.a.batch@example.com";
    await invite([email], "Admin");
    const requests = [{ operationId: "inviteUsers", body: { role: "Viewer", emails: [email] } }];
    const { status, text } = await server.send("POST", "/console/v1/batch", { key: inviter, body: { requests } });
    expect([status, text]).toEqual([403, expect.not.stringContaining("once-")]);
  });

  test("is not made for a pending server administrator", async () => {
    const { person } = await makePerson(server, { email: "pending.administrator@example.com", isAdministrator: true });
    expect((await sendInvite(server.key, person.email)).body.data).toEqual([noLink(person.email)]);
  });

  test("is refused for a person of a team_only team to a caller who is not in it", async () => {
    const email = "teammate@example.com";
    await server.client.createTeam({ body: { name: "Closed circle", members: ["Teammate@example.com"], changeTeamConfigs: "team_only" } });
    const { status, body } = await sendInvite(inviter, email);
    expect([status, body]).toEqual([
      403,
      insufficient(`membership of the team Closed circle or the permission create_teams to invite ${email}, who is in it`),
    ]);
    expect((await invite([email]))[0]?.token).toMatch(/^once-/);
  });

  test("is made again after it has expired, by a caller who may do all that the person may", async () => {
    const email = "expired@example.com";
    await sendInvite(inviter, email);
    server.clock.now += LIFETIME_MS;
    const [link] = (await sendInvite(inviter, email)).body.data;
    expect((await redeem(email, link.token)).status).toBe(200);
  });

  test("is made for anyone by a server administrator", async () => {
    const email = "anyone@example.com";
    await sendInvite(other, email, "Admin");
    const { headers } = await makePerson(server, { isAdministrator: true });
    const { body } = await server.send("POST", "/console/v1/users/invite", {
      key: null,
      headers,
      body: { role: "Viewer", emails: [email] },
    });
    expect((await redeem(email, body.data[0].token)).body.data.projects).toHaveLength(2);
  });
});

describe("listInvitations", () => {
  test("200: shows each invitation's recipient and expiry, and never a token", async () => {
    await invite(["pending@example.com"], "Viewer");
    expect(await findInvitation("pending@example.com")).toEqual({
      id: expect.any(String),
      email: "pending@example.com",
      role: "Viewer",
      createdTime: server.clock.now,
      expiresAt: server.clock.now + LIFETIME_MS,
    });
    server.clock.now += LIFETIME_MS;
    expect(await findInvitation("pending@example.com")).toBeUndefined();
  });
});

describe("deleteInvitation", () => {
  test("200: the token stops working, and the person loses their membership", async () => {
    const [one] = await invite(["revoked@example.com"]);
    await server.client.deleteInvitation({ path: { id: (await findInvitation("revoked@example.com"))?.id ?? "" } });
    expect((await redeem("revoked@example.com", one?.token)).status).toBe(401);
    expect(await refusal(server.client.getUser({ path: { email: "revoked@example.com" } }))).toMatchObject({ status: 404 });
  });

  test("403: an invitation to a role that permits more than the caller may do", async () => {
    await server.client.createRole({ body: { name: "Revoker", permissions: { invitation_access: true } } });
    const { key } = await makeKey(server, { type: "CONSOLE", role: "Revoker" });
    await invite(["boss@example.com"], "Admin");
    const id = (await findInvitation("boss@example.com"))?.id;
    expect((await server.send("DELETE", `/console/v1/users/invitations/${id}`, { key })).status).toBe(403);
    expect(await findInvitation("boss@example.com")).toBeDefined();
  });

  test("409: the member is changed at the same time", needs.postgres, async () => {
    await invite(["held@example.com"]);
    const { id } = (await server.client.getUser({ path: { email: "held@example.com" } })).data;
    const invitation = (await findInvitation("held@example.com"))?.id ?? "";
    const member = { parameters: {}, table: "member", key: { id } };
    const remove = () => refusal(server.client.deleteInvitation({ path: { id: invitation } }));
    expect(await overtake(server.database, member, remove)).toMatchObject({ status: 409 });
  });
});
