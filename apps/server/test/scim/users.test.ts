import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makePerson, makeToken, signIn } from "../support/people.ts";
import { SCIM, scimClient, scimError } from "../support/scim.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { TEST_ADMINISTRATOR } from "../support/template-database.ts";

let server: TestServer;
let scim: ReturnType<typeof scimClient>;
beforeAll(async () => {
  server = await startServer({ scim: SCIM });
  scim = scimClient(server);
});
afterAll(() => server.close());

let count = 0;
let address: string;
beforeEach(() => {
  count += 1;
  address = `user${count}@example.com`;
});

const person = async (id: string) => (await server.send("GET", `/console/v1/people/${id}`)).body.data;
const account = (headers: Record<string, string>, at = server) => at.send("GET", "/console/v1/session", { key: null, headers });

describe("repeated requests", () => {
  test("change nothing if they match the stored person", async () => {
    const { id } = (await scim.createUser(address, { externalId: "x" })).body;
    const before = await person(id);
    server.clock.now += 1_000;
    for (let times = 0; times < 2; times += 1)
      await scim.patch(`/Users/${id}`, { op: "replace", value: { active: true, externalId: "x" } });
    expect(await person(id)).toEqual(before);
  });

  test("and concurrent ones create one person", async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => scim.createUser(address)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    expect((await scim.list("/Users", `userName eq "${address}"`)).body.totalResults).toBe(1);
    expect(answers.find(({ status }) => status === 409)).toMatchObject(
      scimError(409, "uniqueness", expect.stringContaining(`${address} already exists.`)),
    );
  });
});

describe("deactivating a person", () => {
  test("ends their sessions and one-time links at once, on every replica", async () => {
    const replica = await server.replica();
    const made = await makePerson(server, { email: address, password: "a long password 123" });
    await makeToken(server, "password_reset", made.person.id);
    expect((await account(made.headers, replica)).status).toBe(200);
    expect((await scim.patch(`/Users/${made.person.id}`, { op: "Replace", path: "active", value: "False" })).status).toBe(200);
    expect((await account(made.headers, replica)).status).toBe(401);
    const tokens = await server.database.prisma.oneTimeToken.count({ where: { personID: made.person.id } });
    expect(tokens).toBe(0);
    await replica.close();
  });

  test("is refused for the last active administrator, and so are demoting and deleting them", async () => {
    const lone = await startServer({ scim: SCIM });
    const own = scimClient(lone);
    const { id } = (await own.list("/Users", `userName eq "${TEST_ADMINISTRATOR.email}"`)).body.Resources[0];
    const refused = scimError(
      409,
      undefined,
      `${TEST_ADMINISTRATOR.email} is the last active server administrator. Make somebody else one first.`,
    );
    expect(await own.patch(`/Users/${id}`, { op: "replace", value: { active: false } })).toMatchObject(refused);
    expect(await own.send("PUT", `/Users/${id}`, { userName: TEST_ADMINISTRATOR.email, active: false })).toMatchObject(refused);
    expect(await own.send("DELETE", `/Users/${id}`)).toMatchObject(refused);
    expect(await own.createGroup("Flag leads", [id])).toMatchObject(refused);
    expect((await own.send("GET", "/Groups")).body.totalResults).toBe(0);
    const group = `/Groups/${(await own.createGroup("Flag administrators", [id])).body.id}`;
    expect(await own.send("DELETE", group)).toMatchObject(refused);
    expect(await own.patch(group, { op: "remove", path: "members" })).toMatchObject(refused);
    expect(await own.send("PUT", group, { displayName: "Renamed" })).toMatchObject(refused);
    await lone.close();
  });
});

describe("deleting a user", () => {
  test("hides them, and removes them from groups and projects; the audit log keeps them", async () => {
    const { id } = (await scim.createUser(address)).body;
    const group = (await scim.createGroup(`Group of ${address}`, [id])).body;
    await server.send("PUT", `/console/v1/projects/default/members/${address}`, { body: { role: "Viewer" } });
    expect((await server.send("GET", `/console/v1/users/id/${id}`)).status).toBe(200);
    expect(await scim.send("DELETE", `/Users/${id}`)).toMatchObject({ status: 204, body: undefined });
    const gone = scimError(404, undefined, `User ${id} does not exist.`);
    expect(await scim.send("GET", `/Users/${id}`)).toMatchObject(gone);
    expect(await scim.send("DELETE", `/Users/${id}`)).toMatchObject(gone);
    expect(await scim.patch(`/Users/${id}`, { op: "replace", value: { active: true } })).toMatchObject(gone);
    expect(await scim.send("PUT", `/Users/${id}`, { userName: address })).toMatchObject(gone);
    expect((await scim.list("/Users", `id eq "${id}"`)).body.totalResults).toBe(0);
    expect((await scim.send("GET", `/Groups/${group.id}`)).body.members).toEqual([]);
    expect((await server.send("GET", `/console/v1/users/id/${id}`)).status).toBe(404);
    expect(await person(id)).toMatchObject({ isActive: false, isProvisioned: false });
    const { body } = await server.send("GET", "/console/v1/instance/audit_logs?actionType=deleteScimUser");
    expect(body.data.filter(({ entityID }: { entityID: string }) => entityID === id)).toContainEqual(
      expect.objectContaining({ operationID: "deleteScimUser", updatedBy: "SCIM", entityType: "person" }),
    );
  });

  test("is undone by creating them again: the same person comes back, without their password", async () => {
    const { person: made } = await makePerson(server, { email: address, password: "a long password 123" });
    await scim.send("DELETE", `/Users/${made.id}`);
    const created = await scim.createUser(address, { name: { givenName: "New" } });
    expect(created).toMatchObject({ status: 201, body: { id: made.id, active: true, name: { formatted: "New" } } });
    expect((await signIn(server, { email: address, password: "a long password 123" })).status).toBe(401);
  });
});

describe("a person who joined otherwise", () => {
  test("is found, can't be created again, and is managed by SCIM after the first change", async () => {
    const { person: made } = await makePerson(server, { email: address });
    expect((await scim.list("/Users", `userName eq "${address}"`)).body.Resources).toMatchObject([{ id: made.id, userName: address }]);
    expect(await scim.createUser(address)).toMatchObject(scimError(409, "uniqueness", expect.any(String)));
    await scim.patch(`/Users/${made.id}`, { op: "Add", path: "externalId", value: "abc" });
    expect(await person(made.id)).toMatchObject({ isProvisioned: true });
  });

  test("loses what somebody else could have set up: password, sessions and one-time links", async () => {
    const made = await makePerson(server, { email: address, password: "a long password 123" });
    await makeToken(server, "invitation", made.person.id);
    await scim.patch(`/Users/${made.person.id}`, { op: "Add", path: "externalId", value: "abc" });
    expect((await account(made.headers)).status).toBe(401);
    expect((await signIn(server, { email: address, password: "a long password 123" })).status).toBe(401);
    expect(await server.database.prisma.oneTimeToken.count({ where: { personID: made.person.id } })).toBe(0);
  });

  test("keeps their access if they signed in with single sign-on, or administer the instance", async () => {
    const linked = await makePerson(server, { email: address });
    await server.database.prisma.identity.create({
      data: { issuer: "https://idp.example.com", subject: address, personID: linked.person.id },
    });
    const administrator = await makePerson(server, { email: `admin.${address}`, isAdministrator: true });
    for (const { person: made, headers } of [linked, administrator]) {
      await scim.patch(`/Users/${made.id}`, { op: "Add", path: "externalId", value: made.id });
      expect((await account(headers)).status).toBe(200);
    }
  });
});

describe("changing an address", () => {
  test("changes it for members and in teams", async () => {
    const { id } = (await scim.createUser(address)).body;
    await server.send("PUT", `/console/v1/projects/default/members/${address}`, { body: { role: "Viewer" } });
    const team = `Team of ${address}`;
    await server.client.createTeam({ body: { name: team, members: [address, "other@example.com"] } });
    const changed = await scim.patch(`/Users/${id}`, { op: "Replace", path: "userName", value: `new.${address}` });
    expect(changed.body).toMatchObject({ userName: `new.${address}`, emails: [{ value: `new.${address}` }] });
    expect((await server.client.getUserByID({ path: { id } })).data).toMatchObject({ email: `new.${address}` });
    expect((await server.client.getUser({ path: { email: `new.${address}` } })).data).toMatchObject({ id });
    const { data } = await server.client.getTeam({ path: { id: team } });
    expect(data.members.map(({ email }) => email)).toEqual([`new.${address}`, "other@example.com"]);
  });

  test("is refused if another person has it, even a deleted one", async () => {
    const { id } = (await scim.createUser(address)).body;
    const other = (await scim.createUser(`other.${address}`)).body;
    const change = () => scim.patch(`/Users/${id}`, { op: "Replace", path: "userName", value: `other.${address}` });
    expect(await change()).toMatchObject(scimError(409, "uniqueness", expect.any(String)));
    await scim.send("DELETE", `/Users/${other.id}`);
    expect(await change()).toMatchObject(scimError(409, "uniqueness", `A user with the address other.${address} already exists.`));
  });
});

describe("the response", () => {
  test("has the attributes that the request asks for", async () => {
    const { id } = (await scim.createUser(address, { name: { givenName: "Ada", familyName: "King" } })).body;
    const get = async (query: string) => (await scim.send("GET", `/Users/${id}?${query}`)).body;
    expect(await get("attributes=userName,name.givenName")).toEqual({
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
      id,
      userName: address,
      name: { givenName: "Ada" },
    });
    expect(Object.keys(await get("excludedAttributes=emails,meta,id,name"))).toEqual(["schemas", "id", "userName", "active"]);
  });
});
