import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SCIM, scimClient } from "../support/scim.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Requests as identity providers send them.

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

describe("the requests of Entra ID", () => {
  test("find no person at first, create the person, and find them by name and by ID", async () => {
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
