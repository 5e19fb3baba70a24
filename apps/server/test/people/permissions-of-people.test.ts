import { permissions } from "@gatehouse/contract/console";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PERMISSIONS } from "../../src/common/permissions.ts";
import { rowsOutside, rowsWithoutEvents } from "../support/faults.ts";
import { makeNamed } from "../support/fixtures.ts";
import { insufficient } from "../support/keys.ts";
import { fill, operations, requiredAccess, type SweptOperation } from "../support/operations.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { makePerson } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";

type Permission = (typeof PERMISSIONS)[number];

/** The people of the matrix, each with their role in the project. */
const PEOPLE: { name: string; role?: string; isAdministrator?: true }[] = [
  { name: "role Admin", role: "Admin" },
  { name: "role Member", role: "Member" },
  { name: "role Viewer", role: "Viewer" },
  { name: "a role with nothing", role: "Nothing" },
  { name: "no membership" },
  { name: "server administrator", isAdministrator: true },
];

/** Operations that end the session, which the later ones of the test need. */
const OWN_SESSION = ["deleteSession", "changePassword"];
/** The permissions a batch needs depend on its requests. batch.test.ts checks them. */
const swept = operations.filter(({ operationId, permission }) => !OWN_SESSION.includes(operationId) && permission !== "contained");

/** Whether the contract's table permits an operation to a person; otherwise, the lack that it names. */
function findLack({ permission, path }: SweptOperation, { role, isAdministrator }: (typeof PEOPLE)[number]): string | undefined {
  const access = requiredAccess({ permission });
  if (access === "none" || access === "session" || isAdministrator) return undefined;
  if (access === "administrator") return "the session of a server administrator";
  const isOfProject = path.startsWith("/console/v1/projects/{id}");
  const isGiven = role === "Admin" || (role !== undefined && permissions[permission as Permission].roles.includes(role));
  if (isGiven) return undefined;
  const giver = role ? `the role ${role}` : isOfProject ? "a role in the project default" : "a role in any project";
  return `the permission ${permission}, which is not given by ${giver}`;
}

let server: TestServer;
const headersByPerson = new Map<string, Record<string, string>>();
/** Sends a request as a person who is signed in. */
function sendAs(name: string, method: string, url: string, body: object | undefined, project?: string) {
  const headers = { ...headersByPerson.get(name), ...(project !== undefined && { "GATEHOUSE-PROJECT": project }) };
  return server.send(method, url, { key: null, headers, body });
}

beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
  await server.client.createRole({ body: { name: "Nothing", permissions: {} } });
  for (const { name, role, isAdministrator = false } of PEOPLE) {
    const { person, headers } = await makePerson(server, { isAdministrator });
    headersByPerson.set(name, headers);
    if (role) await server.client.updateProjectMember({ path: { id: "default", email: person.email }, body: { role } });
  }
});
afterAll(() => server.close());

describe("every operation accepts exactly the people who have its permission by the contract's table", () => {
  test.each(swept)("$operationId", async (operation) => {
    const { method, path, isWrite, example } = operation;
    const isOfProject = path.startsWith("/console/v1/projects/{id}");
    const url = `${fill(path, isOfProject ? { id: "default" } : {})}${isWrite ? "?dryRun=true" : ""}`;
    for (const person of PEOPLE) {
      const { status, body } = await sendAs(person.name, method, url, example);
      const lack = findLack(operation, person);
      if (lack === undefined) expect.soft([person.name, status]).not.toContain(403);
      else expect.soft([person.name, status, body]).toEqual([person.name, 403, insufficient(lack)]);
    }
  });
});

describe("a person who is a member of one project alone", () => {
  const [member] = ["role Admin"];
  beforeAll(async () => {
    await makeOtherProject(server);
  });
  const ofProject = swept.filter((one) => requiredAccess(one) === undefined);

  test.each(ofProject)("$operationId: 403 in another project, which stays unchanged", async ({ method, path, permission, example }) => {
    const isOfProject = path.startsWith("/console/v1/projects/{id}");
    const before = await rowsWithoutEvents(server.database);
    const { status, body } = await sendAs(member as string, method, fill(path, isOfProject ? { id: "other" } : {}), example, "other");
    const lack = `the permission ${permission}, which is not given by a role in the project other`;
    expect([status, body]).toEqual([403, insufficient(lack)]);
    expect(await rowsWithoutEvents(server.database)).toEqual(before);
  });

  test("changes only their project when they write, and is named as the author", async () => {
    const others = () => rowsOutside(server.database, "default", "instance");
    const before = await others();
    const { status, body } = await sendAs(member as string, "POST", "/console/v1/gates", { name: "made by a person" });
    expect([status, body.data.creatorEmail, body.data.lastModifierName]).toEqual([
      201,
      expect.stringMatching(/@example\.com$/),
      expect.stringMatching(/^Person \d+$/),
    ]);
    expect(await others()).toEqual(before);
  });
});
