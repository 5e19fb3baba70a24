import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const none = { passingUserIDs: [], failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [], environmentOverrides: [] };

async function make(name: string) {
  const { data } = await server.client.createGate({ body: { name } });
  return { id: data.id };
}

describe("getGateOverrides", () => {
  test("201: a gate without overrides has empty lists and version 0, which If-Match can name", async () => {
    const path = await make("without overrides");
    const { data, etag, message } = await server.client.getGateOverrides({ path });
    expect([message, data]).toEqual(["Gate Overrides read successfully.", { ...none, version: 0, createdTime: 0 }]);
    const body = { passingUserIDs: ["alice"] };
    const { data: first } = await server.client.addGateOverrides({ path, body, ifMatch: etag ?? "" });
    expect(first).toEqual({ ...none, passingUserIDs: ["alice"], version: 1, createdTime: server.clock.now });
    expect((await refusal(server.client.addGateOverrides({ path, body, ifMatch: etag ?? "" }))).status).toBe(412);
  });
});

describe("updateGateOverrides", () => {
  test("201: replaces every list; omitted lists become empty", async () => {
    const path = await make("replaced overrides");
    await server.client.updateGateOverrides({ path, body: { passingUserIDs: ["a"], failingCustomIDs: ["c"] } });
    const { data, message } = await server.client.updateGateOverrides({ path, body: { failingUserIDs: ["b", "b"] } });
    expect([message, data]).toEqual([
      "Gate Overrides updated successfully.",
      { ...none, failingUserIDs: ["b"], version: 2, createdTime: server.clock.now },
    ]);
  });

  test("201: the body of a GET can be sent back without loss", async () => {
    const path = await make("round trip overrides");
    const environmentOverrides = [{ environment: null, unitID: "companyID", passingIDs: ["acme"], failingIDs: [] }];
    await server.client.updateGateOverrides({ path, body: { passingUserIDs: ["a"], environmentOverrides } });
    const { data } = await server.client.getGateOverrides({ path });
    const answer = await server.send("POST", `/console/v1/gates/${path.id}/overrides`, { body: data });
    expect(answer.body.data).toEqual({ ...data, version: 2 });
  });

  test("400: an id in both lists, and a list that is too long", async () => {
    const path = await make("contradicted overrides");
    const body = {
      passingUserIDs: ["a", "b"],
      failingUserIDs: ["b"],
      environmentOverrides: [{ passingIDs: ["c"], failingIDs: ["c"] }],
    };
    expect(await refusal(server.client.updateGateOverrides({ path, body }))).toEqual(
      invalid(
        ["failingUserIDs", "must not contain b, which the passing list contains too"],
        ["environmentOverrides[0].failingIDs", "must not contain c, which the passing list contains too"],
      ),
    );
    const passingUserIDs = Array.from({ length: 2001 }, (_, index) => `user ${index}`);
    expect((await refusal(server.client.updateGateOverrides({ path, body: { passingUserIDs } }))).errors).toEqual([
      { property: "passingUserIDs", errorMessage: "must NOT have more than 2000 items" },
    ]);
  });
});

describe("addGateOverrides and removeGateOverrides", () => {
  test("201: add each id once, move it from the opposite list, and remove it", async () => {
    const path = await make("added overrides");
    const staging = (passingIDs: string[], failingIDs: string[]) => [{ environment: "staging", unitID: "userID", passingIDs, failingIDs }];
    await server.client.addGateOverrides({ path, body: { passingUserIDs: ["a", "b"], environmentOverrides: staging(["x"], ["y"]) } });
    const added = await server.client.addGateOverrides({
      path,
      body: { passingUserIDs: ["a"], failingUserIDs: ["b"], environmentOverrides: staging(["y"], []) },
    });
    expect(added.data).toMatchObject({ passingUserIDs: ["a"], failingUserIDs: ["b"], environmentOverrides: staging(["x", "y"], []) });
    const removed = await server.client.removeGateOverrides({
      path,
      body: { passingUserIDs: ["a", "never there"], environmentOverrides: staging(["x", "y"], []) },
    });
    expect(removed.data).toMatchObject({ passingUserIDs: [], failingUserIDs: ["b"], environmentOverrides: [] });
  });

  test("201: overrides have their own versions and are deleted with their gate", async () => {
    const path = await make("short lived overrides");
    await server.client.addGateOverrides({ path, body: { passingUserIDs: ["a"] } });
    expect((await server.client.getGate({ path })).data.version).toBe(1);
    await server.client.deleteGate({ path });
    expect((await refusal(server.client.addGateOverrides({ path, body: {} }))).status).toBe(404);
    await make("short lived overrides");
    expect((await server.client.getGateOverrides({ path })).data).toEqual({ ...none, version: 0, createdTime: 0 });
  });
});

describe("the overrides of an archived gate", () => {
  test("409: can be read, and cannot be changed until it is unarchived", async () => {
    const path = await make("archived with overrides");
    const body = { passingUserIDs: ["alice"] };
    const { data } = await server.client.addGateOverrides({ path, body });
    await server.client.archiveGate({ path });
    const message = `Gate ${path.id} is archived. Unarchive it first.`;
    const { updateGateOverrides, addGateOverrides, removeGateOverrides } = server.client;
    for (const write of [updateGateOverrides, addGateOverrides, removeGateOverrides]) {
      expect(await refusal(write({ path, body }))).toMatchObject({ status: 409, message });
    }
    expect((await server.client.getGateOverrides({ path })).data).toEqual(data);
    await server.client.unarchiveGate({ path });
    expect((await server.client.removeGateOverrides({ path, body })).data).toMatchObject({ passingUserIDs: [], version: 2 });
  });
});
