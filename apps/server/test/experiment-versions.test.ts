import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "./support/server.ts";

const PATH = "/console/v1/experiments";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Given = Parameters<TestServer["client"]["createExperiment"]>[0]["body"];
type Patch = Parameters<TestServer["client"]["patchExperiment"]>[0]["body"];

async function create(given: Given) {
  return (await server.client.createExperiment({ body: given })).data;
}

async function patch(id: string, body: Patch) {
  server.clock.now += 1000;
  return (await server.client.patchExperiment({ path: { id }, body })).data;
}

const missing = { status: 404, code: "not_found", message: "Experiment nope does not exist.", errors: [] };

describe("listExperimentVersions", () => {
  test("200: whole experiments, newest first; the first version stays as it was", async () => {
    const first = await create({ name: "versioned" });
    const second = await patch(first.id, { description: "second" });
    const third = await patch(first.id, { status: "active" });
    const answer = await server.send("GET", `${PATH}/versioned/versions`);
    expect(answer.body).toEqual({
      message: "Experiment versions listed successfully.",
      data: [third, second, first],
      pagination: {
        itemsPerPage: 100,
        pageNumber: 1,
        totalItems: 3,
        nextPage: null,
        previousPage: null,
        all: `${PATH}/versioned/versions`,
      },
    });
  });

  test("200: pages", async () => {
    const { data, pagination } = await server.client.listExperimentVersions({ path: { id: "versioned" }, query: { limit: 1, page: 2 } });
    expect(data.map(({ version }) => version)).toEqual([2]);
    expect(pagination).toEqual({
      itemsPerPage: 1,
      pageNumber: 2,
      totalItems: 3,
      nextPage: `${PATH}/versioned/versions?page=3&limit=1`,
      previousPage: `${PATH}/versioned/versions?page=1&limit=1`,
      all: `${PATH}/versioned/versions`,
    });
  });

  test("200: an experiment that was deleted and made again shows nothing of its former life", async () => {
    const { id } = await create({ name: "second life" });
    await patch(id, { description: "former" });
    await server.client.deleteExperiment({ path: { id } });
    const created = await create({ name: "second life" });
    const changed = await patch(id, { description: "present" });
    const { data, pagination } = await server.client.listExperimentVersions({ path: { id } });
    expect(data).toEqual([changed, created]);
    expect(pagination?.totalItems).toBe(2);
  });

  test("404: no such experiment, or none any more", async () => {
    expect(await refusal(server.client.listExperimentVersions({ path: { id: "nope" } }))).toEqual(missing);
    const { id } = await create({ name: "was here" });
    await server.client.deleteExperiment({ path: { id } });
    expect((await refusal(server.client.listExperimentVersions({ path: { id } }))).status).toBe(404);
  });
});
