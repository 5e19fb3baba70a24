import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePerson } from "../support/people.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe("a key", () => {
  test("is orphaned when the person who made it is deactivated or leaves the project, and goes on working", async () => {
    const { person, headers } = await makePerson(server, { isAdministrator: true });
    const made = await server.send("POST", "/console/v1/keys", {
      key: null,
      headers,
      body: { type: "SERVER", description: "by a person" },
    });
    const { id, key, isOrphaned, creatorEmail } = made.body.data;
    expect([isOrphaned, creatorEmail]).toEqual([false, person.email]);
    const read = async () => (await server.client.getKey({ path: { id } })).data.isOrphaned;
    await server.send("PATCH", `/console/v1/people/${person.id}`, { body: { isAdministrator: false } });
    expect(await read()).toBe(true);
    await server.send("PUT", `/console/v1/projects/default/members/${person.email}`, { body: { role: "Viewer" } });
    expect(await read()).toBe(false);
    await server.send("PATCH", `/console/v1/people/${person.id}`, { body: { isActive: false } });
    expect(await read()).toBe(true);
    expect(
      (await server.send("POST", "/v1/initialize", { key: null, headers: { "STATSIG-API-KEY": key }, body: { user: {} } })).status,
    ).toBe(200);
  });
});
