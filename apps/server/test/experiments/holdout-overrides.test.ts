import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const none = { passingUserIDs: [], failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [], environmentOverrides: [] };
const notThere = { status: 404, code: "not_found", message: "Holdout nope does not exist.", errors: [] };

async function make(name: string) {
  const { data } = await server.client.createHoldout({ body: { name } });
  return { id: data.id };
}

describe("getHoldoutOverrides", () => {
  test("200: a holdout without overrides has empty lists and version 0", async () => {
    const path = await make("untouched");
    const { data, message, etag } = await server.client.getHoldoutOverrides({ path });
    expect([message, data, etag]).toEqual(["Holdout Overrides read successfully.", { ...none, version: 0, createdTime: 0 }, '"0-0"']);
  });

  test("404: the holdout does not exist", async () => {
    expect(await refusal(server.client.getHoldoutOverrides({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("updateHoldoutOverrides", () => {
  test("200: replaces every list; omitted lists become empty", async () => {
    const path = await make("replaced");
    await server.client.updateHoldoutOverrides({ path, body: { passingUserIDs: ["a"] } });
    const { data, message } = await server.client.updateHoldoutOverrides({ path, body: { failingUserIDs: ["b"] } });
    expect(message).toBe("Holdout Overrides updated successfully.");
    expect(data).toEqual({ ...none, failingUserIDs: ["b"], version: 2, createdTime: server.clock.now });
  });

  test("400: an id in both lists", async () => {
    const path = await make("contradicted");
    expect(await refusal(server.client.updateHoldoutOverrides({ path, body: { passingUserIDs: ["a"], failingUserIDs: ["a"] } }))).toEqual(
      invalid(["failingUserIDs", "must not contain a, which the passing list contains too"]),
    );
  });

  test("404: the holdout does not exist", async () => {
    expect(await refusal(server.client.updateHoldoutOverrides({ path: { id: "nope" }, body: {} }))).toEqual(notThere);
  });
});

describe("addHoldoutOverrides", () => {
  test("200: adds by environment and id type, and moves an id from the opposite list", async () => {
    const path = await make("added to");
    const place = { environment: "production", unitID: "companyID" };
    const item = { ...place, passingIDs: ["acme"], failingIDs: [] };
    await server.client.addHoldoutOverrides({ path, body: { passingUserIDs: ["a", "b"], environmentOverrides: [item] } });
    const moved = { ...place, passingIDs: [], failingIDs: ["acme"] };
    const { data, message } = await server.client.addHoldoutOverrides({
      path,
      body: { failingUserIDs: ["a"], environmentOverrides: [moved] },
    });
    expect(message).toBe("Holdout Overrides updated successfully.");
    expect(data).toMatchObject({ passingUserIDs: ["b"], failingUserIDs: ["a"], environmentOverrides: [moved], version: 2 });
  });

  test("404: the holdout does not exist", async () => {
    expect(await refusal(server.client.addHoldoutOverrides({ path: { id: "nope" }, body: {} }))).toEqual(notThere);
  });
});

describe("removeHoldoutOverrides", () => {
  test("200: removes the given ids, and ignores unknown ones", async () => {
    const path = await make("removed from");
    await server.client.addHoldoutOverrides({ path, body: { passingUserIDs: ["a", "b"] } });
    const { data, message } = await server.client.removeHoldoutOverrides({ path, body: { passingUserIDs: ["a", "c"] } });
    expect(message).toBe("Holdout Overrides updated successfully.");
    expect(data).toEqual({ ...none, passingUserIDs: ["b"], version: 2, createdTime: server.clock.now });
  });

  test("404: the holdout does not exist", async () => {
    expect(await refusal(server.client.removeHoldoutOverrides({ path: { id: "nope" }, body: {} }))).toEqual(notThere);
  });
});

describe("deleteHoldout", () => {
  test("200: deletes the overrides, so that a recreated holdout has none", async () => {
    const path = await make("short lived");
    await server.client.addHoldoutOverrides({ path, body: { passingUserIDs: ["a"] } });
    await server.client.deleteHoldout({ path });
    await make("short lived");
    expect((await server.client.getHoldoutOverrides({ path })).data).toEqual({ ...none, version: 0, createdTime: 0 });
  });
});
