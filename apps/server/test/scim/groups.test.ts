import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SCIM, scimClient, scimError } from "../support/scim.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let scim: ReturnType<typeof scimClient>;
let ada: string;
let grace: string;
beforeAll(async () => {
  server = await startServer({ scim: SCIM });
  scim = scimClient(server);
  ada = (await scim.createUser("ada.group@example.com")).body.id;
  grace = (await scim.createUser("grace.group@example.com")).body.id;
});
afterAll(() => server.close());

const groupIDs = async (): Promise<string[]> => (await scim.send("GET", "/Groups")).body.Resources.map(({ id }: { id: string }) => id);

beforeEach(async () => {
  for (const id of await groupIDs()) await scim.send("DELETE", `/Groups/${id}`);
});

const members = async (id: string) => (await scim.send("GET", `/Groups/${id}`)).body.members.map(({ value }: { value: string }) => value);

/** The role of a person in the default project, and whether they administer the instance. */
async function role(id: string): Promise<[string | null, boolean]> {
  const member = await server.send("GET", `/console/v1/users/id/${id}`);
  const { isAdministrator } = (await server.send("GET", `/console/v1/people/${id}`)).body.data;
  return [member.status === 200 ? member.body.data.role : null, isAdministrator];
}

describe("the requests of Entra ID", () => {
  test("create a group, add and remove members, rename it, and read it without members", async () => {
    const filter = `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "Entra group"')}`;
    expect((await scim.send("GET", filter)).body.totalResults).toBe(0);
    const { id } = (await scim.createGroup("Entra group", [], { externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159" })).body;
    expect((await scim.send("GET", filter)).body.Resources).toMatchObject([{ id }]);
    const patch = (...operations: object[]) => scim.patch(`/Groups/${id}`, ...operations);
    expect(await patch({ op: "Add", path: "members", value: [{ value: ada }, { value: grace }] })).toMatchObject({
      status: 204,
      body: undefined,
    });
    expect(await members(id)).toEqual([ada, grace].sort());
    await patch({ op: "Remove", path: "members", value: [{ value: ada }] });
    expect(await members(id)).toEqual([grace]);
    await patch({ op: "Replace", path: "displayName", value: "Entra group, renamed" });
    const { body } = await scim.send("GET", `/Groups/${id}?excludedAttributes=members`);
    expect(body).toMatchObject({ displayName: "Entra group, renamed", externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159" });
    expect(body).not.toHaveProperty("members");
    expect(await scim.send("DELETE", `/Groups/${id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await scim.send("GET", `/Groups/${id}`)).toMatchObject(scimError(404, undefined, `Group ${id} does not exist.`));
  });
});

describe("the requests of Okta", () => {
  test("create a group with members, rename it with its ID in the value, and replace, add and remove members", async () => {
    const { id } = (await scim.createGroup("Okta group", [ada])).body;
    await scim.patch(`/Groups/${id}`, { op: "replace", value: { id, displayName: "Okta group, renamed" } });
    await scim.patch(
      `/Groups/${id}`,
      { op: "remove", path: `members[value eq "${ada}"]` },
      { op: "add", path: "members", value: [{ value: grace, display: "grace.group@example.com" }] },
    );
    const { body } = await scim.send("GET", `/Groups/${id}`);
    expect(body).toMatchObject({
      displayName: "Okta group, renamed",
      members: [{ value: grace, type: "User", display: "grace.group@example.com", $ref: `${server.url}/scim/v2/Users/${grace}` }],
    });
    await scim.patch(`/Groups/${id}`, { op: "replace", path: "members", value: [{ value: ada }] });
    expect(await members(id)).toEqual([ada]);
    const replaced = await scim.send("PUT", `/Groups/${id}`, { displayName: "Okta group", members: [] });
    expect(replaced).toMatchObject({ status: 200, body: { displayName: "Okta group", members: [] } });
  });

  test("find groups by member, and page through them", async () => {
    const ids = [];
    for (const name of ["one", "two", "three"]) {
      server.clock.now += 1;
      ids.push((await scim.createGroup(name, name === "two" ? [ada] : [grace])).body.id);
    }
    expect((await scim.list("/Groups", `members[value eq "${ada}"]`)).body.Resources).toMatchObject([{ id: ids[1] }]);
    const { body } = await scim.send("GET", "/Groups?startIndex=2&count=1&attributes=displayName");
    expect(body).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 });
    expect(body.Resources).toEqual([{ schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"], id: ids[1], displayName: "two" }]);
  });
});

describe("roles", () => {
  test("follow when members are added and removed; the first pair of the setting counts", async () => {
    const developers = (await scim.createGroup("Flag developers", [ada])).body.id;
    expect([await role(ada), await role(grace)]).toEqual([
      ["Member", false],
      [null, false],
    ]);
    const leads = (await scim.createGroup("Flag leads")).body.id;
    await scim.patch(`/Groups/${leads}`, { op: "Add", path: "members", value: [{ value: ada }] });
    expect(await role(ada)).toEqual(["Admin", false]);
    const administrators = (await scim.createGroup("Flag administrators", [ada, grace])).body.id;
    expect([await role(ada), await role(grace)]).toEqual([
      ["Admin", true],
      ["Admin", true],
    ]);
    await scim.send("PUT", `/Groups/${administrators}`, { displayName: "Flag administrators", members: [{ value: grace }] });
    expect([await role(ada), await role(grace)]).toEqual([
      ["Admin", false],
      ["Admin", true],
    ]);
    await scim.patch(`/Groups/${leads}`, { op: "remove", path: `members[value eq "${ada}"]` });
    expect(await role(ada)).toEqual(["Member", false]);
    await scim.send("DELETE", `/Groups/${developers}`);
    await scim.send("DELETE", `/Groups/${administrators}`);
    expect([await role(ada), await role(grace)]).toEqual([
      [null, false],
      [null, false],
    ]);
  });

  test("follow when a group is renamed", async () => {
    const { id } = (await scim.createGroup("Something", [ada])).body;
    expect(await role(ada)).toEqual([null, false]);
    await scim.patch(`/Groups/${id}`, { op: "replace", value: { displayName: "Flag leads" } });
    expect(await role(ada)).toEqual(["Admin", false]);
    await scim.patch(`/Groups/${id}`, { op: "replace", path: "displayName", value: "flag leads" });
    expect(await role(ada)).toEqual([null, false]);
  });

  test("that don't exist cause an error, and nothing changes", async () => {
    const other = await startServer({ scim: { ...SCIM, roles: [["Testers", "Tester"]] } });
    const own = scimClient(other);
    const { id } = (await own.createUser("someone@example.com")).body;
    expect(await own.createGroup("Testers", [id])).toMatchObject(
      scimError(
        400,
        "invalidValue",
        "GATEHOUSE_SCIM_ROLES names the role Tester, which does not exist in the project default. Create the role, or correct the setting.",
      ),
    );
    expect((await own.send("GET", "/Groups")).body.totalResults).toBe(0);
    await other.close();
  });

  test("appear in the audit log as changes by SCIM, and so does the group", async () => {
    const { id } = (await scim.createGroup("Flag developers", [ada])).body;
    const { body } = await server.send("GET", "/console/v1/audit_logs?limit=1");
    expect(body.data).toMatchObject([{ operationID: "createScimGroup", entityType: "member", entityID: ada, updatedBy: "SCIM" }]);
    const instance = await server.send("GET", "/console/v1/instance/audit_logs?limit=1");
    expect(instance.body.data).toMatchObject([
      {
        operationID: "createScimGroup",
        entityType: "scim_group",
        entityID: id,
        updatedBy: "SCIM",
        changes: { displayName: { new: "Flag developers" }, membersAdded: { new: 1 } },
      },
    ]);
  });
});

describe("a group", () => {
  test("has a unique name, in any case", async () => {
    const { id } = (await scim.createGroup("Unique")).body;
    const taken = scimError(409, "uniqueness", "A group with the displayName unique already exists.");
    expect(await scim.createGroup("unique")).toMatchObject(taken);
    const other = (await scim.createGroup("Other")).body.id;
    expect(await scim.patch(`/Groups/${other}`, { op: "replace", value: { displayName: "unique" } })).toMatchObject(taken);
    expect(await scim.send("PUT", `/Groups/${other}`, { displayName: "unique" })).toMatchObject(taken);
    expect((await scim.send("PUT", `/Groups/${id}`, { displayName: "UNIQUE" })).status).toBe(200);
  });

  test("accepts only users as members", async () => {
    const { id } = (await scim.createGroup("Nested")).body;
    const add = (...value: object[]) => scim.patch(`/Groups/${id}`, { op: "add", path: "members", value });
    expect(await add({ value: id })).toMatchObject(
      scimError(400, "invalidValue", `members contains ids of users that do not exist: ${id}.`),
    );
    expect(await add({ value: id, type: "Group" })).toMatchObject(
      scimError(400, "invalidValue", expect.stringContaining("Groups in groups")),
    );
    expect(await members(id)).toEqual([]);
  });

  test("has one membership per person, even if requests are repeated or concurrent", async () => {
    const { id } = (await scim.createGroup("Flag leads")).body;
    const add = () => scim.patch(`/Groups/${id}`, { op: "Add", path: "members", value: [{ value: ada }, { value: ada }] });
    const answers = await Promise.all([add(), add(), add()]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    expect(await members(id)).toEqual([ada]);
    expect(await server.database.prisma.member.count({ where: { id: ada } })).toBe(1);
    await Promise.all([
      scim.patch(`/Groups/${id}`, { op: "remove", path: "members" }),
      scim.patch(`/Groups/${id}`, { op: "remove", path: "members" }),
    ]);
    expect([await members(id), await role(ada)]).toEqual([[], [null, false]]);
  });

  test("with 500 people gives all of them a role in one request", async () => {
    const ids = await createPeople(500);
    const { id } = (await scim.createGroup("Flag developers", ids)).body;
    expect(await server.database.prisma.member.count({ where: { projectID: "default", role: "Member", id: { in: ids } } })).toBe(500);
    const full = scimError(409, undefined, "A group can have at most 500 members.");
    expect(await scim.patch(`/Groups/${id}`, { op: "add", path: "members", value: [{ value: ada }] })).toMatchObject(full);
    expect((await scim.send("DELETE", `/Groups/${id}`)).status).toBe(204);
    expect(await server.database.prisma.member.count({ where: { projectID: "default", id: { in: ids } } })).toBe(0);
  });
});

test("there can be at most 1,000 groups, and at most 100,000 members in all of them together", async () => {
  const { prisma } = server.database;
  const { id } = (await scim.createGroup("Last but one")).body;
  await prisma.$executeRaw`
    insert into scim_group select 'g' || n, 'Group ' || n, 'group ' || n, null, 0, 0 from generate_series(1, 998) as n`;
  await prisma.$executeRaw`insert into scim_membership select 'g' || n % 998 + 1, 'p' || n from generate_series(1, 99999) as n`;
  const { status, body: last } = await scim.createGroup("Last", [ada]);
  expect(status).toBe(201);
  expect(await scim.createGroup("One more")).toMatchObject(scimError(409, undefined, "There can be at most 1000 groups."));
  const full = scimError(409, undefined, "All groups together can have at most 100000 members.");
  const add = () => scim.patch(`/Groups/${id}`, { op: "add", path: "members", value: [{ value: grace }] });
  expect(await add()).toMatchObject(full);
  await scim.patch(`/Groups/${last.id}`, { op: "remove", path: "members" });
  expect((await add()).status).toBe(204);
  await prisma.$executeRaw`delete from scim_membership`;
  await prisma.$executeRaw`delete from scim_group`;
});

/** Creates people directly in the table. @returns their ids */
async function createPeople(count: number): Promise<string[]> {
  const { prisma } = server.database;
  const [{ entity, ...row }] = (await prisma.person.findMany({ where: { id: ada } })) as [any];
  const people = Array.from({ length: count }, (_, index) => ({ id: `many${index}`, email: `many${index}@example.com` }));
  await prisma.person.createMany({
    data: people.map((one) => ({ ...row, ...one, entity: JSON.stringify({ ...JSON.parse(entity), ...one }) })),
  });
  return people.map(({ id }) => id);
}
