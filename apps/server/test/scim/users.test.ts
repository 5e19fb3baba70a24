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

describe("the requests of Entra ID", () => {
  test("find nobody, create the person, and find them by name and by ID", async () => {
    const missing = await scim.list("/Users", `userName eq "${address}"`);
    expect(missing).toMatchObject({ status: 200, body: { totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] } });
    const created = await scim.send(
      "POST",
      "/Users",
      {
        schemas: ["urn:ietf:params:scim:schemas:core:2.0:User", "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"],
        externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
        userName: address.toUpperCase(),
        active: true,
        displayName: "Katherine Johnson",
        emails: [{ primary: true, type: "work", value: address }],
        meta: { resourceType: "User" },
        name: { formatted: "Katherine Johnson", familyName: "Johnson", givenName: "Katherine" },
        title: "Engineer",
        roles: [],
        "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { department: "Research" },
      },
      { "Content-Type": "application/scim+json; charset=utf-8" },
    );
    const { id } = created.body;
    const location = `${server.url}/scim/v2/Users/${id}`;
    expect(created.headers.get("Location")).toBe(location);
    expect(created).toMatchObject({ status: 201 });
    expect(created.body).toEqual({
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
      id,
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      userName: address.toUpperCase(),
      name: { formatted: "Katherine Johnson", givenName: "Katherine", familyName: "Johnson" },
      displayName: "Katherine Johnson",
      active: true,
      emails: [{ value: address, type: "work", primary: true }],
      meta: { resourceType: "User", created: "2025-11-21T04:40:00.000Z", lastModified: "2025-11-21T04:40:00.000Z", location },
    });
    for (const filter of [
      `userName eq "${address}"`,
      `externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"`,
      `emails[type eq "work" and value eq "${address}"]`,
    ])
      expect((await scim.list("/Users", filter)).body).toMatchObject({ totalResults: 1, Resources: [{ id }] });
    expect((await scim.send("GET", `/Users/${id}`)).body).toEqual(created.body);
    expect(await person(id)).toMatchObject({
      email: address,
      firstName: "Katherine",
      lastName: "Johnson",
      isActive: true,
      isProvisioned: true,
      isAdministrator: false,
      creatorID: "scim",
      creatorName: "SCIM",
    });
  });

  test("change, deactivate and activate the person with operations in capitals and booleans as texts", async () => {
    const { id } = (await scim.createUser(address, { name: { givenName: "Ada", familyName: "Byron" } })).body;
    const changed = await scim.patch(
      `/Users/${id}`,
      { op: "Replace", path: "name.familyName", value: "King" },
      { op: "Add", path: 'emails[type eq "work"].value', value: "other@example.com" },
      { op: "Add", path: "urn:ietf:params:scim:schemas:core:2.0:User:displayName", value: "Ada King" },
      { op: "Add", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:displayName", value: "not this one" },
      { op: "Add", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", value: "Research" },
      { op: "Replace", path: 'phoneNumbers[type eq "mobile"].value', value: "123" },
      { op: "Replace", path: "active", value: "False" },
    );
    expect(changed).toMatchObject({
      status: 200,
      body: {
        name: { givenName: "Ada", familyName: "King" },
        displayName: "Ada King",
        active: false,
        emails: [{ value: address }],
      },
    });
    expect(await person(id)).toMatchObject({ isActive: false, lastName: "King", lastModifierName: "SCIM" });
    const activated = await scim.patch(`/Users/${id}`, {
      op: "replace",
      value: { active: "True", "name.givenName": "Augusta", 'emails[type eq "work"].value': address, nickName: "Ada" },
    });
    expect(activated.body).toMatchObject({ active: true, name: { givenName: "Augusta" } });
  });

  test("for a person whose userName is not an address change the address in emails", async () => {
    const { id } = (await scim.createUser(`name${count}`, { emails: [{ value: "wrong@example.com" }, { value: address, primary: true }] }))
      .body;
    expect(await person(id)).toMatchObject({ email: address });
    const changed = await scim.patch(`/Users/${id}`, { op: "Replace", path: 'emails[type eq "work"].value', value: `new.${address}` });
    expect(changed.body).toMatchObject({ userName: `name${count}`, emails: [{ value: `new.${address}` }] });
    expect(await person(id)).toMatchObject({ email: `new.${address}` });
  });
});

describe("the requests of Okta", () => {
  test("replace the whole user, and deactivate them with an operation without a path", async () => {
    const { id } = (await scim.createUser(address, { externalId: "00ujl29u0le5T6Aj10h7", password: "1mz050nq" })).body;
    const replaced = await scim.send("PUT", `/Users/${id}`, {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
      id,
      userName: address,
      name: { givenName: "Another", middleName: "Excited", familyName: "User" },
      emails: [{ primary: true, value: address, type: "work", display: address }],
      active: true,
      groups: [],
      meta: { resourceType: "User" },
    });
    expect(replaced).toMatchObject({ status: 200, body: { name: { formatted: "Another User" }, active: true } });
    expect(replaced.body).not.toHaveProperty("externalId");
    expect(replaced.body).not.toHaveProperty("password");
    const deactivated = await scim.patch(`/Users/${id}`, { op: "replace", value: { active: false } });
    expect(deactivated).toMatchObject({ status: 200, body: { id, active: false } });
    const kept = await scim.send("PUT", `/Users/${id}`, { userName: address });
    expect(kept.body).toMatchObject({ active: false });
    expect(kept.body).not.toHaveProperty("name");
  });

  test("page through all users", async () => {
    for (const name of ["a", "b", "c"]) {
      server.clock.now += 1;
      await scim.createUser(`${name}.${address}`);
    }
    const of = `filter=${encodeURIComponent(`userName ew ".${address}"`)}`;
    const pages = await Promise.all(
      [`${of}&startIndex=1&count=2`, `${of}&startIndex=3&count=2`, `${of}&startIndex=-5&count=-1`].map((query) =>
        scim.send("GET", `/Users?${query}`),
      ),
    );
    expect(
      pages.map(({ body }) => [body.totalResults, body.startIndex, body.itemsPerPage, body.Resources.map((user: any) => user.userName)]),
    ).toEqual([
      [3, 1, 2, [`a.${address}`, `b.${address}`]],
      [3, 3, 1, [`c.${address}`]],
      [3, 1, 0, []],
    ]);
  });
});

describe("repeated requests", () => {
  test("change nothing if nothing is different", async () => {
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
      `${TEST_ADMINISTRATOR.email} is the last active administrator of the instance. Make somebody else one first.`,
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
