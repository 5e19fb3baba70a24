import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { insufficient, makeKey } from "../support/keys.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { makePerson } from "../support/people.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const PASSWORD = "correct horse battery staple";
let count = 0;

/** Makes a person with a session who has a role in the project. */
async function makeMember(role: string) {
  count += 1;
  const email = `member${count}@example.com`;
  const made = await makePerson(server, { email, password: PASSWORD });
  await server.client.inviteUsers({ body: { role, emails: [email] } });
  const send = (method: string, path: string, body?: object) => server.send(method, path, { key: null, headers: made.headers, body });
  return { ...made, email, send };
}

const get = async (email: string) => (await server.client.getUser({ path: { email } })).data;
const lacks = (permission: string, role: string) => insufficient(`the permission ${permission}, which is not given by the role ${role}`);

describe("listUsers", () => {
  test("200: the members of the project, the last to join first, with their names and roles", async () => {
    const fresh = await startServer();
    const { person } = await makePerson(fresh, { email: "kim@example.com", password: PASSWORD });
    await fresh.client.inviteUsers({ body: { role: "Member", emails: [person.email] } });
    fresh.clock.now += 1;
    await fresh.client.inviteUsers({ body: { role: "Viewer", emails: ["robin@example.com"] } });
    const { data, pagination } = await fresh.client.listUsers();
    expect(data.map(({ email, role }) => [email, role])).toEqual([
      ["robin@example.com", "Viewer"],
      ["kim@example.com", "Member"],
    ]);
    expect(data[1]).toMatchObject({ id: person.id, firstName: "Person", lastName: person.lastName, isActive: true, version: 1 });
    expect(pagination.totalItems).toBe(2);
    await fresh.close();
  });

  test("200: lists deactivated people with includeStaleMembers alone", async () => {
    const { person, email } = await makeMember("Viewer");
    await server.send("PATCH", `/console/v1/people/${person.id}`, { body: { isActive: false } });
    const listed = async (includeStaleMembers: boolean) =>
      (await server.client.listUsers({ query: { includeStaleMembers, limit: 100 } })).data.find((one) => one.email === email);
    expect([await listed(false), (await listed(true))?.isActive]).toEqual([undefined, false]);
  });

  test("200: lists the people who have a permission by a built-in role, by a role of the project, or as administrators", async () => {
    const name = "Approves reviews";
    await server.client.createRole({ body: { name, permissions: { read: true, approve_reviews: true } } });
    const [viewer, member, other] = [await makeMember("Viewer"), await makeMember("Member"), await makeMember(name)];
    const administrator = await makeMember("Viewer");
    await server.send("PATCH", `/console/v1/people/${administrator.person.id}`, { body: { isAdministrator: true } });
    const { data } = await server.client.listUsers({ query: { permission: "approve_reviews", limit: 1_000 } });
    const listed = new Set(data.map(({ email }) => email));
    expect([viewer, member, other, administrator].map(({ email }) => listed.has(email))).toEqual([false, true, true, true]);
    const { body } = await server.send("GET", "/console/v1/users?permission=fly");
    expect(body).toEqual(invalid(["permission", "is fly, which does not exist"]));
  });
});

describe("getUser and getUserByID", () => {
  test("200: finds a member by address in any case, and by the id that the change log names", async () => {
    const { email, person } = await makeMember("Member");
    const byEmail = await server.client.getUser({ path: { email: email.toUpperCase() } });
    expect(byEmail.data).toMatchObject({ id: person.id, email, role: "Member" });
    expect((await server.client.getUserByID({ path: { id: person.id } })).data).toEqual(byEmail.data);
  });

  test("404: a person of the instance who is not a member of the project", async () => {
    const { person } = await makePerson(server, { email: "elsewhere@example.com" });
    const absent = { status: 404, message: expect.stringMatching(/^Member \S+ does not exist\.$/) };
    expect(await refusal(server.client.getUser({ path: { email: person.email } }))).toMatchObject(absent);
    expect(await refusal(server.client.getUserByID({ path: { id: person.id } }))).toMatchObject(absent);
  });
});

describe("updateUser", () => {
  test("200: changes the role at once", async () => {
    const { email, send } = await makeMember("Viewer");
    expect((await send("POST", "/console/v1/tags", { name: "early", description: "" })).body).toEqual(lacks("create_configs", "Viewer"));
    const { data } = await server.client.updateUser({ path: { email }, body: { role: "member" } });
    expect(data).toMatchObject({ role: "Member", version: 2 });
    expect((await send("POST", "/console/v1/tags", { name: "late", description: "" })).status).toBe(200);
  });

  test("400: a role that does not exist", async () => {
    const { email } = await makeMember("Viewer");
    const { status, errors } = await refusal(server.client.updateUser({ path: { email }, body: { role: "Pilot" } }));
    expect([status, errors]).toEqual([400, [{ property: "role", errorMessage: "references role Pilot, which does not exist" }]]);
  });

  test("403: people cannot raise their own role or grant a permission that they lack", async () => {
    await server.client.createRole({ body: { name: "People manager", permissions: { read: true, manage_members: true } } });
    const { send, email } = await makeMember("People manager");
    const other = await makeMember("Viewer");
    for (const address of [email, other.email]) {
      const { status, body } = await send("POST", `/console/v1/users/${address}`, { role: "Member" });
      expect([status, body]).toEqual([403, lacks("create_configs", "People manager")]);
    }
    expect((await send("POST", `/console/v1/users/${other.email}`, { role: "People manager" })).status).toBe(200);
  });

  test("403: people cannot demote a person who has more permissions than they have", async () => {
    await server.client.createRole({ body: { name: "Demoter", permissions: { read: true, manage_members: true } } });
    const { send } = await makeMember("Demoter");
    const { email } = await makeMember("Admin");
    expect((await send("POST", `/console/v1/users/${email}`, { role: "Viewer" })).body).toEqual(lacks("create_configs", "Demoter"));
    expect((await get(email)).role).toBe("Admin");
  });

  test("403: names belong to the person, who alone changes them", async () => {
    const { email, send } = await makeMember("Admin");
    const named = { firstName: "Kim", lastName: "Lee" };
    const { status, body } = await server.send("POST", `/console/v1/users/${email}`, { body: named });
    expect([status, body]).toEqual([403, insufficient(`the session of ${email}, whose name it is`)]);
    expect((await send("POST", `/console/v1/users/${email}`, named)).body.data).toMatchObject(named);
    expect(await get(email)).toMatchObject(named);
    // Sending back a user as read changes no name.
    expect((await server.client.updateUser({ path: { email }, body: { ...named, role: "Viewer" } })).data.role).toBe("Viewer");
  });

  test("A member with another name shows it in every project", async () => {
    const { email, send } = await makeMember("Admin");
    const key = await makeOtherProject(server, "second");
    await server.send("POST", "/console/v1/users/invite", { key, body: { role: "Viewer", emails: [email] } });
    await send("POST", `/console/v1/users/${email}`, { firstName: "Renamed" });
    expect((await server.send("GET", `/console/v1/users/${email}`, { key })).body.data).toMatchObject({
      firstName: "Renamed",
      role: "Viewer",
    });
  });
});

describe("a role that a member has", () => {
  test("409: is deleted only by force, and then permits nothing", async () => {
    await server.client.createRole({ body: { name: "Given", permissions: { read: true } } });
    const { person, send } = await makeMember("Given");
    expect(await refusal(server.client.deleteRole({ path: { id: "Given" } }))).toMatchObject({
      status: 409,
      message: `Role Given cannot be deleted: it is referenced by member ${person.id}. Use forceArchive to do it anyway.`,
    });
    expect((await send("GET", "/console/v1/tags")).status).toBe(200);
    await server.client.deleteRole({ path: { id: "Given" }, query: { forceArchive: true } });
    expect((await send("GET", "/console/v1/tags")).body).toEqual(lacks("read", "Given"));
  });
});

test("A key without the permission for it cannot change roles of members", async () => {
  const { key } = await makeKey(server, { type: "CONSOLE", role: "Member" });
  const { email } = await makeMember("Viewer");
  expect((await server.send("POST", `/console/v1/users/${email}`, { key, body: { role: "Viewer" } })).status).toBe(403);
});
