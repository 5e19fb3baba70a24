import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

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
  test("200: complete experiments, newest first; earlier versions do not change", async () => {
    const first = await create({ name: "versioned" });
    const second = await patch(first.id, { description: "second" });
    const third = await patch(first.id, { status: "active" });
    const answer = await server.send("GET", `${PATH}/versioned/versions`);
    expect(answer.body).toEqual({
      message: "Experiment versions listed successfully.",
      data: [third, second, first],
      reasons: [],
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

  test("200: in pages", async () => {
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

  test("200: omits the versions of a deleted experiment with the same id", async () => {
    const { id } = await create({ name: "second life" });
    await patch(id, { description: "former" });
    await server.client.deleteExperiment({ path: { id } });
    const created = await create({ name: "second life" });
    const changed = await patch(id, { description: "present" });
    const { data, pagination } = await server.client.listExperimentVersions({ path: { id } });
    expect(data).toEqual([changed, created]);
    expect(pagination?.totalItems).toBe(2);
  });

  test("404: the experiment does not exist", async () => {
    expect(await refusal(server.client.listExperimentVersions({ path: { id: "nope" } }))).toEqual(missing);
  });
});

describe("restoreExperimentVersion", () => {
  const restore = (id: string, version: number) => server.client.restoreExperimentVersion({ path: { id, version } });

  test("200: restores the version's settings as a new version, and keeps the status", async () => {
    const first = await create({ name: "restored", tags: ["first"], allocation: 2 });
    const started = await patch(first.id, { status: "active", tags: ["second"], hypothesis: "h", allocation: 1 });
    server.clock.now += 1000;
    const { data, message } = await restore(first.id, 1);
    expect(message).toBe("Experiment version 1 restored successfully.");
    expect(data).toEqual({
      ...first,
      status: "active",
      startTime: started.startTime,
      userBuckets: expect.objectContaining({ length: 20 }),
      version: 3,
      lastModifiedTime: server.clock.now,
    });
    expect(data.userBuckets.slice(0, 10)).toEqual(started.userBuckets);
  });

  test("400: cannot restore what cannot change while the experiment is active", async () => {
    const { id } = await create({
      name: "not restored",
      groups: [
        { name: "A", size: 30 },
        { name: "B", size: 70 },
      ],
    });
    await patch(id, {
      status: "active",
      groups: [
        { name: "A", size: 50 },
        { name: "B", size: 50 },
      ],
    });
    expect(await refusal(restore(id, 1))).toEqual(
      invalid(
        ["groups[0].size", "cannot change from 50 to 30 while the experiment is active"],
        ["groups[1].size", "cannot change from 50 to 70 while the experiment is active"],
      ),
    );
  });

  test("404: the version does not exist", async () => {
    const { id } = await create({ name: "one version" });
    expect(await refusal(restore(id, 2))).toMatchObject({ status: 404, code: "not_found" });
  });

  test("409: an archived experiment", async () => {
    const { id } = await create({ name: "archived version", status: "archived" });
    expect((await refusal(restore(id, 1))).message).toBe("Experiment archived_version is archived. Unarchive it first.");
  });
});

describe("restartExperimentAsNew", () => {
  test("200: creates a copy in setup, and does not change the experiment", async () => {
    const created = await create({ name: "original", allocation: 1, tags: ["copied"], hypothesis: "h" });
    const active = await patch(created.id, { status: "active" });
    const { data, message } = await server.client.restartExperimentAsNew({ path: { id: "original" }, body: { name: "Second try" } });
    expect(message).toBe("Restart As New Experiment Success");
    const times = { createdTime: server.clock.now, lastModifiedTime: server.clock.now };
    expect(data).toEqual({ ...created, ...times, id: "second_try", name: "Second try", salt: expect.not.stringMatching(created.salt) });
    expect((await server.client.getExperiment({ path: { id: "original" } })).data).toEqual(active);
  });

  test("404: the experiment does not exist", async () => {
    expect(await refusal(server.client.restartExperimentAsNew({ path: { id: "nope" }, body: { name: "again" } }))).toEqual(missing);
  });

  test("409: a name whose id is taken", async () => {
    const { id } = await create({ name: "taken already" });
    expect((await refusal(server.client.restartExperimentAsNew({ path: { id }, body: { name: "Taken Already" } }))).message).toBe(
      "Experiment taken_already already exists.",
    );
  });
});
