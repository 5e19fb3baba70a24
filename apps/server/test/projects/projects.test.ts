import { createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../../src/common/log.ts";
import { removeDeletedProjects } from "../../src/jobs/remove-deleted-projects.ts";
import { rowsOutside } from "../support/faults.ts";
import { insufficient } from "../support/keys.ts";
import { makePerson } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const names = (list: { name: string }[]) => list.map(({ name }) => name).sort();

/** Makes a project as an administrator. */
async function makeProject(name: string) {
  const { status, body } = await server.send("POST", "/console/v1/projects", { body: { name } });
  expect(status).toBe(201);
  const { id, firstKey } = body.data;
  const client = createConsoleClient({ baseUrl: server.url, apiKey: firstKey.key, retry: { attempts: 1 } });
  return { id, key: firstKey.key as string, keyID: firstKey.id as string, client };
}

/** Makes a person with roles in projects, by the project's id. */
async function makeMember(roles: Record<string, string>) {
  const { person, headers } = await makePerson(server);
  const send = (method: string, path: string, body?: object, project?: string) =>
    server.send(method, `/console/v1${path}`, {
      key: null,
      headers: { ...headers, ...(project !== undefined && { "GATEHOUSE-PROJECT": project }) },
      ...(body && { body }),
    });
  for (const [id, role] of Object.entries(roles)) await asAdministrator("PUT", `/projects/${id}/members/${person.email}`, { role });
  return { person, send };
}

const administrator = makeAdministrator();
function makeAdministrator() {
  let made: Promise<Record<string, string>> | undefined;
  return () => {
    made ??= makePerson(server, { isAdministrator: true }).then(({ headers }) => headers);
    return made;
  };
}
async function asAdministrator(method: string, path: string, body?: object) {
  const { status, body: answer } = await server.send(method, `/console/v1${path}`, {
    key: null,
    headers: await administrator(),
    ...(body && { body }),
  });
  expect([status, answer.message]).toEqual([200, expect.any(String)]);
  return answer.data;
}

describe("createProject", () => {
  test("201: a new project is complete: environments, unit ID types, tags, and a first key that is shown once", async () => {
    const { client, id, keyID } = await makeProject("Mobile app");
    expect((await client.getProject()).data).toEqual({ id, name: "Mobile app" });
    expect(names((await client.getEnvironments()).data.environments)).toEqual(["development", "production", "staging"]);
    expect(names((await client.listUnitIDTypes()).data)).toEqual(names((await server.client.listUnitIDTypes()).data));
    expect(names((await client.listTags()).data)).toEqual(["★ Core"]);
    expect((await client.getKey({ path: { id: keyID } })).data).toMatchObject({
      scopes: ["omni_read_write", "can_access_keys"],
      key: null,
    });
  });

  test("201: the creator is a member with the role Admin, and their first project is one of theirs", async () => {
    const { client } = await makeProject("With a member");
    const { data } = await client.listUsers();
    expect(data.map(({ email, role }) => [email, role])).toEqual([["ada@example.com", "Admin"]]);
  });

  test("201: names may repeat, and no id is that of another project or of the instance", async () => {
    const [one, two] = [await makeProject("Same name"), await makeProject("Same name")];
    expect(new Set([one.id, two.id, "default", "instance"]).size).toBe(4);
  });

  test("201: is in the change log with everything that it made, under one operation", async () => {
    const { id } = await makeProject("Logged");
    const changes = await server.database.prisma.change.findMany({ where: { OR: [{ projectID: id }, { entityID: id }] } });
    expect(new Set(changes.map(({ operationID }) => operationID))).toEqual(new Set(["createProject"]));
    const types = changes.map(({ entityType }) => entityType);
    expect(new Set(types)).toEqual(new Set(["project", "environment_set", "tag", "unit_id_type", "key", "member"]));
  });

  test("403: anyone but a server administrator, keys among them", async () => {
    const { send } = await makeMember({ default: "Admin" });
    const refused = insufficient("the session of a server administrator");
    expect((await send("POST", "/projects", { name: "Mine" })).body).toEqual(refused);
    expect((await server.send("POST", "/console/v1/projects", { key: server.key, body: { name: "Mine" } })).body).toEqual(refused);
  });
});

describe("listProjects and getProjectByID", () => {
  test("200: a key sees only its own project; a person sees the projects they are a member of", async () => {
    const { id, client } = await makeProject("Listed");
    expect((await client.listProjects()).data.map((one) => one.id)).toEqual([id]);
    const { send } = await makeMember({ default: "Viewer", [id]: "Viewer" });
    const { data } = (await send("GET", "/projects")).body;
    expect(data.map((one: { id: string }) => one.id).sort()).toEqual(["default", id].sort());
    expect((await send("GET", `/projects/${id}`)).body.data).toMatchObject({ id, name: "Listed", version: 1 });
  });

  test("403: a person who is not a member, whether the project exists or not", async () => {
    const { id } = await makeProject("Closed");
    const { send } = await makeMember({ default: "Admin" });
    for (const project of [id, "nowhere"]) {
      const { status, body } = await send("GET", `/projects/${project}`);
      expect([status, body]).toEqual([403, insufficient(`the permission read, which is not given by a role in the project ${project}`)]);
    }
  });

  test("404: another project than the key's", async () => {
    const { id } = await makeProject("Unseen");
    expect((await server.send("GET", `/console/v1/projects/${id}`)).status).toBe(404);
  });
});

describe("patchProject", () => {
  test("200: renames the project and its settings, which are one truth", async () => {
    const { id, client } = await makeProject("Before");
    await client.updateProjectSettings({ body: { name: "By settings", visibility: "OPEN" } });
    expect((await client.getProjectByID({ path: { id } })).data).toMatchObject({ name: "By settings", version: 2 });
    expect((await client.patchProject({ path: { id }, body: { name: "By project" } })).data).toMatchObject({
      name: "By project",
      version: 3,
    });
    expect([(await client.getProject()).data.name, (await client.getProjectSettings()).data.name]).toEqual(["By project", "By project"]);
  });

  test("403: needs the permission in the project that the path names, not in another one", async () => {
    const { id } = await makeProject("Path");
    const { send } = await makeMember({ default: "Admin", [id]: "Viewer" });
    expect((await send("PATCH", `/projects/${id}`, { name: "Mine" }, "default")).status).toBe(403);
    expect((await send("PATCH", "/projects/default", { name: "default" }, id)).status).toBe(200);
  });
});

describe("members of projects", () => {
  test("200: a person gets a role, another role, and loses it at once", async () => {
    const { id } = await makeProject("Staffed");
    const { person, send } = await makeMember({ [id]: "Viewer" });
    const tag = { name: "tagged", description: "" };
    expect([(await send("GET", "/tags")).status, (await send("POST", "/tags", tag)).status]).toEqual([200, 403]);
    expect(await asAdministrator("PUT", `/projects/${id}/members/${person.email}`, { role: "Member" })).toMatchObject({
      role: "Member",
      version: 2,
    });
    expect((await send("POST", "/tags", tag)).status).toBe(200);
    await asAdministrator("DELETE", `/projects/${id}/members/${person.email}`);
    expect((await send("GET", "/tags")).body).toEqual(insufficient("the permission read, which is not given by a role in any project"));
  });

  test("404: a person without an account, who has to be invited", async () => {
    const { id, client } = await makeProject("Uninvited");
    await expect(client.updateProjectMember({ path: { id, email: "new@example.com" }, body: { role: "Viewer" } })).rejects.toMatchObject({
      status: 404,
      message: expect.stringContaining("Person new@example.com does not exist."),
    });
  });

  test("403: people cannot grant a role with more permissions than they have", async () => {
    const { id, client } = await makeProject("Modest");
    await client.createRole({ body: { name: "Host", permissions: { read: true, manage_members: true } } });
    const { send } = await makeMember({ [id]: "Host" });
    const { person } = await makePerson(server);
    expect((await send("PUT", `/projects/${id}/members/${person.email}`, { role: "Admin" })).status).toBe(403);
    expect((await send("PUT", `/projects/${id}/members/${person.email}`, { role: "Host" })).status).toBe(200);
  });

  test("409: a person who is deactivated", async () => {
    const { id, client } = await makeProject("Active");
    const { person } = await makePerson(server);
    await asAdministrator("PATCH", `/people/${person.id}`, { isActive: false });
    const call = client.updateProjectMember({ path: { id, email: person.email }, body: { role: "Viewer" } });
    await expect(call).rejects.toMatchObject({ status: 409 });
  });
});

describe("updateSession", () => {
  test("200: the default project is used without a header, which only the person changes", async () => {
    const { id } = await makeProject("Chosen");
    const { send } = await makeMember({ default: "Viewer", [id]: "Viewer" });
    const current = async (project?: string) => (await send("GET", "/project", undefined, project)).body.data.id;
    expect(await current()).toBe("default");
    expect((await send("PATCH", "/session", { defaultProjectID: id })).body.data.defaultProjectID).toBe(id);
    expect([await current(), await current("default")]).toEqual([id, "default"]);
    expect((await send("PATCH", "/session", { defaultProjectID: null })).body.data.defaultProjectID).toBe("default");
  });

  test("200: falls back to the oldest project if the default is gone", async () => {
    const { id } = await makeProject("Short-lived");
    const { person, send } = await makeMember({ default: "Viewer", [id]: "Viewer" });
    await send("PATCH", "/session", { defaultProjectID: id });
    await asAdministrator("DELETE", `/projects/${id}/members/${person.email}`);
    expect((await send("GET", "/project")).body.data.id).toBe("default");
  });

  test("200: changes one's own name", async () => {
    const { send } = await makeMember({ default: "Viewer" });
    expect((await send("PATCH", "/session", { firstName: "Grace" })).body.data.person.firstName).toBe("Grace");
    expect((await send("GET", "/session")).body.data.person.firstName).toBe("Grace");
  });

  test("400: a project that is not one's own", async () => {
    const { id } = await makeProject("Not yours");
    const { send } = await makeMember({ default: "Viewer" });
    const { status, body } = await send("PATCH", "/session", { defaultProjectID: id });
    const errors = [{ property: "defaultProjectID", errorMessage: "is not the id of one of your projects" }];
    expect([status, body.errors]).toEqual([400, errors]);
  });
});

describe("deleteProject", () => {
  const remove = (id: string, query = "") => server.send("DELETE", `/console/v1/projects/${id}${query}`);

  test("409: while it has a key that was used in the last 24 hours, unless forced", async () => {
    const { id, keyID, client } = await makeProject("Used");
    await client.listTags();
    await expect.poll(async () => (await client.getKey({ path: { id: keyID } })).data.lastUsed).not.toBeNull();
    const { status, body } = await remove(id);
    expect([status, body.message]).toEqual([
      409,
      `Project ${id} cannot be deleted: it has keys that were used in the last 24 hours: ${keyID}. Use force to do it anyway.`,
    ]);
    expect((await remove(id, "?force=true")).status).toBe(200);
  });

  test("200: a day after the last use, no force is needed", async () => {
    const { id, keyID, client } = await makeProject("Unused");
    await client.listTags();
    await expect.poll(async () => (await client.getKey({ path: { id: keyID } })).data.lastUsed).not.toBeNull();
    // A day of the server's clock would end the administrator's session.
    await server.database.prisma.$executeRaw`update key set "lastUsedTime" = "lastUsedTime" - ${DAY_MS}::bigint where id = ${keyID}`;
    expect((await remove(id)).status).toBe(200);
  });

  test("409: the default project, on which the command line works", async () => {
    const { status, body } = await remove("default", "?force=true");
    expect([status, body.message]).toEqual([409, "Project default cannot be deleted: the command line works on it."]);
  });

  test("200: keys and members lose access within half a second, on every server", async () => {
    const { id, key } = await makeProject("Deleted");
    const { send } = await makeMember({ [id]: "Admin" });
    const replica = await server.replica();
    const statuses = () => Promise.all([server, replica].map(async (one) => (await one.send("GET", "/console/v1/tags", { key })).status));
    expect([await statuses(), (await send("GET", "/tags")).status]).toEqual([[200, 200], 200]);
    expect((await remove(id, "?force=true")).status).toBe(200);
    expect((await send("GET", "/tags")).status).toBe(403);
    server.clock.now += 500;
    expect(await statuses()).toEqual([401, 401]);
    expect((await asAdministrator("GET", "/projects?limit=100")).some((one: { id: string }) => one.id === id)).toBe(false);
    await replica.close();
  });

  test("200: its rows are removed in batches, its audit log stays, and other projects keep everything", async () => {
    const { id, client } = await makeProject("Removed");
    await client.createGate({ body: { name: "gone" } });
    const env = { database: server.database, log: createLog("silent", process.stdout), now: () => server.clock.now };
    const job = removeDeletedProjects();
    // The projects that earlier tests deleted.
    await job.run(env);
    const entries = () => server.database.prisma.change.count({ where: { projectID: id } });
    const kept = await entries();
    expect((await remove(id, "?force=true")).status).toBe(200);
    const others = await rowsOutside(server.database, id);
    await job.run(env);
    const { prisma } = server.database;
    const left = await Promise.all(
      [prisma.gate, prisma.key, prisma.tag, prisma.member].map((table: any) => table.count({ where: { projectID: id } })),
    );
    expect([left, await entries()]).toEqual([[0, 0, 0, 0], kept]);
    // A request that began before the deletion may write later than it.
    const late = { projectID: id, name: "late", day: 1, count: 1n, firstTime: 1n, lastTime: 1n };
    await prisma.eventCount.create({ data: late });
    server.clock.now += 2 * HOUR_MS;
    await job.run(env);
    expect(await prisma.eventCount.count({ where: { projectID: id } })).toBe(0);
    expect(await rowsOutside(server.database, id)).toEqual(others);
  });
});
