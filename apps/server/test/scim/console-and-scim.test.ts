import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCIM, scimClient } from "../support/scim.ts";
import { conflicting, startServer, type TestServer } from "../support/server.ts";

// Requests of the console API that are refused for people managed by SCIM.

let server: TestServer;
let scim: ReturnType<typeof scimClient>;
beforeAll(async () => {
  server = await startServer({ scim: SCIM });
  scim = scimClient(server);
});
afterAll(() => server.close());

const patchPerson = (id: string, body: object, at = server) => at.send("PATCH", `/console/v1/people/${id}`, { body });
const member = (email: string, project = "default") => `/console/v1/projects/${project}/members/${email}`;

describe("a person managed by SCIM", () => {
  test("can't be renamed or deactivated in the console, but can become an administrator there", async () => {
    const email = "managed@example.com";
    const { id } = (await scim.createUser(email)).body;
    for (const [field, value] of [
      ["firstName", "Eve"],
      ["lastName", "Eve"],
      ["isActive", false],
    ] as const)
      expect((await patchPerson(id, { [field]: value })).body).toEqual(
        conflicting(`${email} is managed through SCIM. Change ${field} in your identity provider.`, field),
      );
    expect((await patchPerson(id, { isAdministrator: true, isActive: true })).status).toBe(200);
  });

  test("can be changed in the console after SCIM is removed", async () => {
    const without = await server.replica(undefined, { scim: undefined });
    const { id } = (await scim.createUser("formerly@example.com")).body;
    expect((await patchPerson(id, { isActive: false }, without)).status).toBe(200);
    await without.close();
  });

  test("has the role of their group, which the console can't change in the default project", async () => {
    const email = "grouped@example.com";
    const { id } = (await scim.createUser(email)).body;
    await scim.createGroup("Flag developers", [id]);
    const refused = (property: string) =>
      conflicting(
        `The role of ${email} follows from the group Flag developers through SCIM. Change the groups in your identity provider.`,
        property,
      );
    const send = async (method: string, path: string, body?: object) => (await server.send(method, path, { body })).body;
    expect(await send("PUT", member(email), { role: "Viewer" })).toEqual(refused("role"));
    expect(await send("DELETE", member(email))).toEqual(refused("role"));
    expect(await send("POST", `/console/v1/users/${email}`, { role: "Viewer" })).toEqual(refused("role"));
    expect(await send("POST", "/console/v1/users/invite", { emails: [email], role: "Viewer" })).toEqual(refused("role"));
    expect((await patchPerson(id, { isAdministrator: true })).body).toEqual(refused("isAdministrator"));
    expect(await send("GET", `/console/v1/users/id/${id}`)).toMatchObject({ data: { role: "Member" } });
  });

  test("has a role that the console can change while they are in no mapped group", async () => {
    const email = "ungrouped@example.com";
    await scim.createUser(email);
    expect((await server.send("PUT", member(email), { body: { role: "Viewer" } })).status).toBe(200);
    expect((await server.send("DELETE", member(email))).status).toBe(200);
  });
});
