import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fullExperiment, makeSourcesOfFull } from "../support/full-experiment.ts";
import { makeLayer } from "../support/layers.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { makeTeam } from "../support/teams.ts";

const START = 1_763_700_000_000;
const PATH = "/console/v1/experiments";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.client.createGate({ body: { name: "gate" } });
  await makeSourcesOfFull(server);
});
afterAll(() => server.close());

type Given = Parameters<TestServer["client"]["createExperiment"]>[0]["body"];

async function create(given: Given) {
  return (await server.client.createExperiment({ body: given })).data;
}

const missing = { status: 404, code: "not_found", message: "Experiment nope does not exist.", errors: [] };
const anID = expect.stringMatching(/^\w{22}$/);

describe("createExperiment", () => {
  test.each<[string, unknown, string]>([
    ["experimentType", "GEO", "Results compare units, not regions."],
    ["experimentType", "SWITCHBACK", "Results compare units, not periods."],
    ["analysisStartTime", "2025-11-22", "Results begin with the start of the experiment."],
    [
      ...(["cohortedMetricsMatureAfterEnd", true] as const),
      "Results end with the experiment. To complete windows, stop the assignment first, and end the experiment later.",
    ],
  ])("400: %s of %o has no effect on results", async (property, value, reason) => {
    const { status, body } = await server.send("POST", "/console/v1/experiments", { body: { name: "refused", [property]: value } });
    expect([status, body.errors]).toEqual([400, [{ property, errorMessage: `is not supported: ${reason}` }]]);
  });

  test("201: only the name is required; the rest has defaults", async () => {
    const { data, message, etag } = await server.client.createExperiment({ body: { name: "Button color" } });
    expect(message).toBe("Experiment created successfully.");
    expect(etag).toBe(`"1-${START.toString(36)}"`);
    expect(data).toEqual({
      id: "button_color",
      layerID: null,
      name: "Button color",
      description: "",
      idType: "userID",
      hypothesis: "",
      tags: [],
      team: null,
      teamID: null,
      targetApps: [],
      holdoutIDs: [],
      groups: [
        { id: anID, name: "Control", size: 50, parameterValues: {}, description: "" },
        { id: anID, name: "Test", size: 50, parameterValues: {}, description: "" },
      ],
      allocation: 100,
      controlGroupID: data.groups[0]?.id,
      launchedGroupID: null,
      userBuckets: [],
      salt: anID,
      targetingGateID: null,
      inlineTargetingRules: [],
      inlineTargetingRulesJSON: "{}",
      status: "setup",
      statusBeforeArchive: null,
      decisionReason: null,
      scheduledStartTime: null,
      startTime: null,
      assignmentStopTime: null,
      endTime: null,
      resetTime: null,
      decisionTime: null,
      isStale: false,
      experimentType: "BASE",
      duration: 14,
      primaryMetrics: [],
      secondaryMetrics: [],
      otherMetrics: [],
      primaryMetricTags: [],
      secondaryMetricTags: [],
      bonferroniCorrection: false,
      defaultConfidenceInterval: "95",
      healthChecks: [],
      healthCheckStatus: "PASSED",
      creatorID: expect.stringMatching(/^key_/),
      creatorName: "CONSOLE API",
      creatorEmail: null,
      createdTime: START,
      lastModifierID: expect.stringMatching(/^key_/),
      lastModifierName: "CONSOLE API",
      lastModifierEmail: null,
      lastModifiedTime: START,
      version: 1,
    });
  });

  test("201: stores every field that a caller can set, as given", async () => {
    const given = { ...fullExperiment, teamID: await makeTeam(server) };
    const answer = await server.send("POST", PATH, { body: given });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject(given);
  });

  test("201: in an existing layer, with the layer's idType", async () => {
    await makeLayer(server, "shared", [], "companyID");
    expect(await create({ name: "in layer", layerID: "shared" })).toMatchObject({ layerID: "shared", idType: "companyID" });
  });

  test("201: as active, with its buckets", async () => {
    const { status, startTime, userBuckets } = await create({ name: "at once", status: "active", allocation: 0.5 });
    expect({ status, startTime, buckets: userBuckets.length }).toEqual({ status: "active", startTime: server.clock.now, buckets: 5 });
  });

  test("400: an unknown layer, wrong sizes, an unknown control group and an illegal status", async () => {
    const body = {
      name: "all wrong",
      layerID: "nowhere",
      groups: [
        { name: "A", size: 50 },
        { name: "A", size: 40 },
      ],
      controlGroupID: "A",
      status: "decision_made" as const,
    };
    expect(await refusal(server.client.createExperiment({ body }))).toEqual(
      invalid(
        ["layerID", "must be the id of a layer that exists"],
        ["groups", "must have sizes that sum to 100, not 90"],
        ["groups[1].name", "must be unique in groups, but A is given twice"],
        ["controlGroupID", "must be the id of a group"],
        ["status", "make_decision is not possible in status setup, only in active, assignment_stopped, or experiment_stopped"],
      ),
    );
  });

  test("400: names violations in nested objects with their places", async () => {
    const body = {
      name: "a\tb",
      hypotesis: "x",
      duration: 1,
      allocation: 101,
      defaultConfidenceInterval: "96",
      groups: [{ name: "A", size: 101, valuess: {} }],
      primaryMetrics: [{ name: "m" }],
      inlineTargetingRules: [{ name: "r", passPercentage: 100, conditions: [], variants: [] }],
      stratifiedSampling: { status: "pending", metric: { name: "m", startDate: "2025-11-01" } },
    };
    const answer = await server.send("POST", PATH, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ property }: { property: string }) => property).sort()).toEqual([
      "allocation",
      "defaultConfidenceInterval",
      "duration",
      "groups[0].size",
      "groups[0].valuess",
      "hypotesis",
      "inlineTargetingRules[0].variants",
      "name",
      "primaryMetrics[0].type",
      "stratifiedSampling.metric.endDate",
    ]);
  });

  test("409: an experiment with the same id exists", async () => {
    await create({ name: "twice made" });
    expect(await refusal(server.client.createExperiment({ body: { name: "Twice Made" } }))).toEqual(
      conflicting("Experiment twice_made already exists."),
    );
  });
});

describe("getExperiment", () => {
  test("200: the current experiment", async () => {
    const created = await create({ id: "given-id", name: "read me" });
    const { data, message } = await server.client.getExperiment({ path: { id: "given-id" } });
    expect(message).toBe("Experiment read successfully.");
    expect(data).toEqual(created);
  });

  test("304: the caller has the current version", async () => {
    const { data, etag } = await server.client.createExperiment({ body: { name: "held" } });
    const answer = await server.send("GET", `${PATH}/${data.id}`, { headers: { "If-None-Match": etag ?? "" } });
    expect(answer.status).toBe(304);
  });

  test("404: the experiment does not exist", async () => {
    expect(await refusal(server.client.getExperiment({ path: { id: "nope" } }))).toEqual(missing);
  });
});

describe("deleteExperiment", () => {
  test("200: returns the experiment and deletes it", async () => {
    const { id } = await create({ name: "short life" });
    const { data } = await server.client.getExperiment({ path: { id } });
    const answer = await server.send("DELETE", `${PATH}/${id}`);
    expect(answer.body).toEqual({ message: "Experiment deleted successfully.", data });
    expect((await refusal(server.client.getExperiment({ path: { id } }))).status).toBe(404);
  });

  test("404: the experiment does not exist", async () => {
    expect(await refusal(server.client.deleteExperiment({ path: { id: "nope" } }))).toEqual(missing);
  });

  test("412: If-Match names another version", async () => {
    const { id } = await create({ name: "not deleted" });
    expect((await server.send("DELETE", `${PATH}/${id}`, { headers: { "If-Match": '"7-x"' } })).status).toBe(412);
    expect((await server.client.getExperiment({ path: { id } })).data.version).toBe(1);
  });
});

describe("listExperiments", () => {
  test("200: newest first, in pages, with links that keep the filters", async () => {
    for (const name of ["list one", "list two", "list three"]) {
      server.clock.now += 1000;
      await create({ name, tags: ["listed", "extra"] });
    }
    const { data, pagination, message } = await server.client.listExperiments({ query: { tags: ["listed"], limit: 2 } });
    expect(message).toBe("Experiments listed successfully.");
    expect(data.map(({ id }) => id)).toEqual(["list_three", "list_two"]);
    expect(pagination).toEqual({
      itemsPerPage: 2,
      pageNumber: 1,
      totalItems: 3,
      nextPage: `${PATH}?tags=listed&page=2&limit=2`,
      previousPage: null,
      all: PATH,
    });
  });

  test("200: by one status, or by several", async () => {
    await create({ name: "state setup", tags: ["state"] });
    await create({ name: "state active", tags: ["state"], status: "active" });
    await create({ name: "state archived", tags: ["state"], status: "archived" });
    const ids = async (query: string) => (await server.send("GET", `${PATH}?tags=state&${query}`)).body.data.map(({ id }: any) => id);
    expect(await ids("status=active")).toEqual(["state_active"]);
    expect(await ids("status=active&status=archived")).toEqual(["state_active", "state_archived"]);
    expect(await ids("")).toEqual(["state_active", "state_archived", "state_setup"]);
  });

  test.each([
    ["idType", "stableID"],
    ["creatorID", "someone"],
    ["experimentType", "GRID_SEARCH"],
  ] as const)("200: by %s", async (name, value) => {
    await create({ name: `by ${name}`, [name]: value });
    const { data } = await server.client.listExperiments({ query: { [name]: value } });
    expect(data.map((experiment) => experiment[name])).toEqual([value]);
  });

  test("200: by teamID", async () => {
    const teamID = await makeTeam(server);
    await create({ name: "by team", teamID });
    const { data } = await server.client.listExperiments({ query: { teamID } });
    expect(data.map(({ id }) => id)).toEqual(["by_team"]);
  });

  test("200: by creatorName", async () => {
    expect((await server.client.listExperiments({ query: { creatorName: "nobody" } })).data).toEqual([]);
  });

  test("200: by layer, and by a target app's name", async () => {
    await create({ name: "of the web", layerID: "shared", targetApps: ["web", "ios"] });
    const ids = async (query: string) => (await server.send("GET", `${PATH}?${query}`)).body.data.map(({ id }: any) => id);
    expect(await ids("layerID=shared")).toEqual(["of_the_web", "in_layer"]);
    expect(await ids("targetAppID=ios")).toEqual(["of_the_web"]);
  });

  test("200: by the days of creation, both inclusive; new experiments are not stale", async () => {
    const day = 24 * 60 * 60 * 1000;
    const noon = server.clock.now;
    for (const number of [1, 2, 3]) {
      server.clock.now = Date.UTC(2026, 0, number) + (number === 3 ? day - 1 : 0);
      await create({ name: `january ${number}`, tags: ["january"] });
    }
    server.clock.now = noon;
    const ids = async (query: string) => (await server.send("GET", `${PATH}?tags=january&${query}`)).body.data.map(({ id }: any) => id);
    expect(await ids("createdStartDate=2026-01-02")).toEqual(["january_3", "january_2"]);
    expect(await ids("createdEndDate=2026-01-02")).toEqual(["january_2", "january_1"]);
    expect(await ids("createdStartDate=2026-01-03&createdEndDate=2026-01-03")).toEqual(["january_3"]);
    expect(await ids("stale=true")).toEqual([]);
  });

  test("400: a day that does not exist", async () => {
    const answer = await server.send("GET", `${PATH}?createdStartDate=2026-02-30&createdEndDate=2026-13-01`);
    expect(answer.body.errors).toEqual([
      { property: "createdEndDate", errorMessage: "must be a date such as 2025-11-30" },
      { property: "createdStartDate", errorMessage: "must be a date such as 2025-11-30" },
    ]);
  });
});
