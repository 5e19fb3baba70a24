import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "../support/operations.ts";
import { makeList, readIDs, readSegment } from "../support/segments.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** Fixtures with content for each DELETE to remove. */
type Subject = { url: string; read: () => Promise<unknown>; remove: () => Promise<{ message: string }>; empty: object };

const GROUPS = [
  { id: "blue", name: "Control", size: 50 },
  { id: "green", name: "Green", size: 50 },
];
let made = 0;

const subjects: Record<string, () => Promise<Subject>> = {
  async removeGateOverrides() {
    const path = { id: (await server.client.createGate({ body: { name: `gate ${++made}` } })).data.id };
    await server.client.addGateOverrides({
      path,
      body: { passingUserIDs: ["a"], environmentOverrides: [{ passingIDs: ["b"], failingIDs: [] }] },
    });
    return {
      url: `gates/${path.id}/overrides`,
      read: async () => (await server.client.getGateOverrides({ path })).data,
      remove: () => server.client.removeGateOverrides({ path }),
      empty: { passingUserIDs: [], failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [], environmentOverrides: [] },
    };
  },
  async removeHoldoutOverrides() {
    const path = { id: (await server.client.createHoldout({ body: { name: `holdout ${++made}` } })).data.id };
    await server.client.addHoldoutOverrides({ path, body: { failingCustomIDs: ["a"] } });
    return {
      url: `holdouts/${path.id}/overrides`,
      read: async () => (await server.client.getHoldoutOverrides({ path })).data,
      remove: () => server.client.removeHoldoutOverrides({ path }),
      empty: { passingUserIDs: [], failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [], environmentOverrides: [] },
    };
  },
  async removeExperimentOverrides() {
    const path = { id: (await server.client.createExperiment({ body: { name: `experiment ${++made}`, groups: GROUPS } })).data.id };
    await server.client.addExperimentOverrides({ path, body: { overrides: [], userIDOverrides: [{ groupID: "green", ids: ["a"] }] } });
    return {
      url: `experiments/${path.id}/overrides`,
      read: async () => (await server.client.getExperimentOverrides({ path })).data,
      remove: () => server.client.removeExperimentOverrides({ path }),
      empty: { overrides: [], userIDOverrides: [] },
    };
  },
  async removeLayerOverrides() {
    const path = { id: (await server.client.createLayer({ body: { name: `layer ${++made}`, idType: "userID" } })).data.id };
    const { data } = await server.client.createExperiment({ body: { name: `on layer ${made}`, layerID: path.id, groups: GROUPS } });
    const idOverrides = [{ groupName: "Green", ids: ["a"], experimentName: data.id }];
    await server.client.patchLayerOverrides({ path, body: { op: "add", conditionalOverrides: [], idOverrides } });
    return {
      url: `layers/${path.id}/overrides`,
      read: async () => (await server.client.getLayerOverrides({ path })).data,
      remove: () => server.client.removeLayerOverrides({ path }),
      empty: { conditionalOverrides: [], idOverrides: [] },
    };
  },
  async removeSegmentIDs() {
    const id = await makeList(server, ["a", "b"]);
    return {
      url: `segments/${id}/id_list`,
      read: async () => ({ ids: await readIDs(server, id), count: (await readSegment(server, id)).count }),
      remove: () => server.client.removeSegmentIDs({ path: { id } }),
      empty: { ids: [], count: 0 },
    };
  },
};

/** Sends a DELETE with an empty body and only these headers. */
function sendEmpty(url: string, headers: Record<string, string>): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const options = { method: "DELETE", headers: { "SERVICE-API-KEY": server.key, ...headers } };
    const sent = request(`${server.url}/console/v1/${url}`, options, async (answer) => {
      let text = "";
      for await (const piece of answer.setEncoding("utf8")) text += piece;
      resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) });
    });
    sent.once("error", reject).end();
  });
}

const deletes = operations.filter(({ method, takesBody }) => method === "DELETE" && takesBody);

describe("a DELETE with an optional body", () => {
  test("is covered here", () => {
    expect(Object.keys(subjects).toSorted()).toEqual(deletes.map(({ operationId }) => operationId).toSorted());
  });

  test.each(deletes)("$operationId: rejects a declared but empty body, and removes everything without a body", async ({ operationId }) => {
    const { url, read, remove, empty } = await (subjects[operationId] as () => Promise<Subject>)();
    const before = await read();
    expect(before).not.toMatchObject(empty);
    const type = { "Content-Type": "application/json" };
    const announcing: Record<string, string>[] = [type, { "Content-Length": "0" }, { ...type, "Transfer-Encoding": "chunked" }];
    for (const headers of announcing) {
      const [name = ""] = Object.keys(headers);
      const errorMessage = `is empty, although the header ${name.toLowerCase()} is set. List what to remove, or omit the header to remove everything`;
      expect(await sendEmpty(url, headers)).toMatchObject({
        status: 400,
        body: { code: "invalid_request", errors: [{ property: "body", errorMessage }] },
      });
    }
    expect(await read()).toEqual(before);
    await remove();
    expect(await read()).toMatchObject(empty);
  });
});

describe("removeSegmentIDs", () => {
  test("200: without a body, ids added afterwards go into a new file", async () => {
    const id = await makeList(server, ["a"]);
    await server.client.removeSegmentIDs({ path: { id } });
    await server.client.addSegmentIDs({ path: { id }, body: { ids: ["b"] } });
    expect(await readIDs(server, id)).toEqual(["b"]);
    const { start } = await server.database.prisma.segmentIDChange.findFirstOrThrow({
      where: { segmentID: id },
      orderBy: { version: "asc" },
    });
    expect(Number(start)).toBe(0);
  });
});
