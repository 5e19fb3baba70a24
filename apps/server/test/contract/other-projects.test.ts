import { createConsoleClient } from "@gatehouse/client";
import { routes } from "@gatehouse/contract/console";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entitySlices } from "../../src/console/kinds.ts";
import { prepareEvaluation } from "../support/evaluation-operations.ts";
import { rowsOutside } from "../support/faults.ts";
import { raiseAlert } from "../support/fixture-entities.ts";
import { makeFixture, makeNamed } from "../support/fixtures.ts";
import { makeKey } from "../support/keys.ts";
import { connectClient, OUTSIDE, sendByTool } from "../support/mcp.ts";
import { listen, readStreamUrl, untilSeen } from "../support/ofrep.ts";
import { evaluationOperations, fill, forKeys, neededQuery, type SweptOperation } from "../support/operations.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { prepare } from "../support/prepare.ts";
import { startServer, type TestServer } from "../support/server.ts";

// No operation of either API, and no tool for AI agents, reads or changes another project than its key's.

/** The same server, called with the key of a project. */
function asProject(server: TestServer, key: string): TestServer {
  const client = createConsoleClient({ baseUrl: server.url, apiKey: key, retry: { attempts: 1 } });
  return { ...server, key, client, send: (method, path, options) => server.send(method, path, { key, ...options }) };
}

/** Whether a path addresses an entity. Environment sets (every project has one) and event names do not count. */
const namesEntity = ({ path }: SweptOperation) => /\{(?!version\}|eventName\})/.test(path);
/** Whether a path addresses what every project has under any name: an attribute, which need not have been seen. */
const isInEach = ({ path }: SweptOperation) => path.startsWith("/console/v1/attributes/");
/** The metric of the contract's example counts these events. */
const listPath = ({ path }: SweptOperation) => fill(path, { eventName: "purchase" });
const writes = forKeys.filter(({ isWrite }) => isWrite);
const reads = forKeys.filter(({ isWrite }) => !isWrite);
/**
 * The company is the same for every project. Operations with a body, a required parameter or ids in the query name entities, and checks need
 * the ruleset: their own tests ask from another project.
 */
const NO_LISTS = [
  "getChangeValidationSecret",
  "getChecksByEnvironment",
  "getCompany",
  "getExperimentScores",
  "getExposureCount",
  "getModelEndpoint",
];
const lists = reads.filter(
  (one) => !namesEntity(one) && !one.readsByPost && neededQuery(one) === "" && !NO_LISTS.includes(one.operationId),
);

/** The operations that also change data shared by all projects: people, and the instance's list of projects. */
const OF_INSTANCE = [
  "deletePersonSecondFactors",
  "endPersonSession",
  "endPersonSessions",
  "inviteUsers",
  "patchProject",
  "updateProjectSettings",
  "restoreSettingsVersion",
];
const rowsOfFirst = ({ database }: TestServer, operationId = "") =>
  rowsOutside(database, "other", ...(OF_INSTANCE.includes(operationId) ? ["instance"] : []));

describe("every operation of the console API, with the key of another project", () => {
  let server: TestServer;
  let other: TestServer;
  let listed: Map<string, unknown>;
  /** The tools for AI agents, with a key of each project that lets them make changes. */
  let tools: Record<"first" | "other", Awaited<ReturnType<typeof connectClient>>>;
  beforeAll(async () => {
    server = await startServer();
    other = asProject(server, await makeOtherProject(server));
    tools = { first: await connectTools(server), other: await connectTools(other) };
    // The other project gets entities first, so that its lists are not empty.
    await fillProject(other, { eventName: "purchase" });
    await server.flushSdkReports();
    listed = await listAll();
    await fillProject(server, { eventName: "purchase" }, { eventName: "purchase" });
  });
  afterAll(() => server.close());

  async function connectTools(project: TestServer) {
    const { key } = await makeKey(project, { type: "CONSOLE", scopes: ["omni_read_write", "can_access_keys", "mcp_write"] });
    return connectClient(server, key);
  }

  /** Creates an entity of each kind, and events. */
  async function fillProject(project: TestServer, ...events: object[]): Promise<void> {
    await makeNamed(project);
    // Settings differ by their version at least.
    for (const _ of events) await project.client.updateTeamSettings({ body: { require_teams_on_configs: false } });
    for (const { operations } of entitySlices) await makeFixture(project, routes[operations.read].path);
    await makeFixture(project, "/console/v1/ingestion/runs/{id}");
    const place = { entityType: "gate" as const, entityID: "new_checkout", file: `${events.length}.ts`, line: 1 };
    await project.client.updateCodeReferences({ body: { repository: "shop", branch: "main", references: [place] } });
    // The portfolio has only experiments that ended, more of them in one project. So it is with guardrail alerts.
    for (const index of events.keys()) {
      await raiseAlert(project, "gate", index === 0 ? "new_checkout" : "new_search");
      const { data } = await project.client.createExperiment({ body: { name: `ended ${index}`, status: "active" } });
      await project.client.abandonExperiment({ path: { id: data.id }, body: { decisionReason: "It hurts." } });
    }
    await project.send("POST", "/v1/log_event", { body: { events } });
  }

  /** The other project's response to each operation that addresses no entity. */
  async function listAll(): Promise<Map<string, unknown>> {
    const answers = lists.map(async (list) => [list.operationId, (await other.send("GET", listPath(list))).body] as const);
    return new Map(await Promise.all(answers));
  }

  test.each(lists)("$operationId: returns only the project's own entities", async (list) => {
    const { data, ...expected } = listed.get(list.operationId) as { data: unknown };
    expect((await server.send("GET", listPath(list))).body.data).not.toEqual(data);
    expect((await other.send("GET", listPath(list))).body).toEqual({ ...expected, data });
    const byTool = await sendByTool(tools.other, list, { parameters: { eventName: "purchase" } });
    if (!OUTSIDE.test(byTool.text)) expect(byTool.body).toMatchObject({ ...expected, data });
  });

  /** An answer without how long it took. */
  const untimed = ({ data, ...body }: { data: object }) => ({ ...body, data: { ...data, durationMs: undefined } });
  const notFound = { status: 404, body: { code: "not_found" } };

  test.each(reads.filter(namesEntity))(
    "$operationId: reads only its own project's entity, even if another project has the same name",
    async (operation) => {
      const name = `same name ${operation.operationId}`;
      const { send, fixture, body: sent } = await prepare(other, operation, name);
      if (!isInEach(operation)) {
        const { body: refusal, ...refused } = await send({ "SERVICE-API-KEY": server.key });
        expect({ ...refused, body: refusal }).toMatchObject(notFound);
        const byTool = await sendByTool(tools.first, operation, { parameters: fixture?.parameters, body: sent });
        if (!OUTSIDE.test(byTool.text)) expect(byTool).toEqual({ isError: true, text: expect.any(String), body: refusal });
      }
      const { status, body } = await send();
      expect(status).toBeLessThan(300);
      await makeFixture(server, operation.path, name);
      expect(untimed((await send()).body)).toEqual(untimed(body));
    },
  );

  test.each(writes)("$operationId: changes nothing in the first project, even if both have an entity of that name", async (operation) => {
    const name = `same name ${operation.operationId}`;
    const ofFirst = await prepare(server, operation, name);
    if (namesEntity(operation) && !isInEach(operation)) {
      const before = await rowsOfFirst(server);
      const refused = await ofFirst.send({ "SERVICE-API-KEY": other.key });
      expect(refused).toMatchObject(notFound);
      const byTool = await sendByTool(tools.other, operation, { parameters: ofFirst.fixture?.parameters, body: ofFirst.body });
      if (!OUTSIDE.test(byTool.text)) expect(byTool).toEqual({ isError: true, text: expect.any(String), body: refused.body });
      expect(await rowsOfFirst(server)).toEqual(before);
    }
    const { send } = await prepare(other, operation, name);
    const before = await rowsOfFirst(server, operation.operationId);
    const { status, body } = await send();
    expect(body).not.toHaveProperty("errors");
    expect(status).toBeLessThan(300);
    expect(await rowsOfFirst(server, operation.operationId)).toEqual(before);
  });

  test("tools, resources and completions for AI agents find entities of every type in their own project only", async () => {
    const { call, client } = tools.other;
    const { tools: listedTools } = await client.listTools();
    const types = listedTools.find(({ name }) => name === "get_entity")?.inputSchema.properties?.type as { enum: string[] };
    const { resourceTemplates } = await client.listResourceTemplates();
    const uris = new Map(resourceTemplates.map(({ name, uriTemplate }) => [name, uriTemplate]));
    // Attributes exist under any name.
    const readable = entitySlices.filter(({ kind }) => types.enum.includes(kind.type) && kind.type !== "attribute");
    expect(readable.length).toBeGreaterThan(20);
    for (const { kind, operations } of readable) {
      const fixture = await makeFixture(server, routes[operations.read].path, `first only ${kind.type}`);
      const [id = ""] = Object.values(fixture?.parameters ?? {});
      const uri = `${uris.get(kind.type)}`;
      expect([kind.type, await call("get_entity", { type: kind.type, id })]).toMatchObject([
        kind.type,
        { isError: true, body: notFound.body },
      ]);
      expect((await call("list_entities", { type: kind.type, limit: 100 })).text).not.toContain(JSON.stringify(id));
      await expect(client.readResource({ uri: uri.replace(/\{.*/, encodeURIComponent(id)) })).rejects.toThrow(/not|exist/);
      const { completion } = await client.complete({ ref: { type: "ref/resource", uri }, argument: { name: "id", value: id } });
      expect(completion.values).not.toContain(id);
    }
  });

  test("tools that combine operations refuse entities of another project as those do", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "first only" } });
    const { data: experiment } = await server.client.createExperiment({ body: { name: "first only too" } });
    const { call } = tools.other;
    const path = { id: gate.id };
    for (const answer of [
      await call("estimate_impact", { operationId: "enableGate", path }),
      await call("get_experiment_results", { id: experiment.id }),
    ])
      expect(answer).toMatchObject({ isError: true, body: notFound.body });
    const explained = await call("explain_evaluation", { user: { userID: "u1" }, entities: [{ type: "gate", id: gate.id }] });
    const own = await other.send("POST", "/console/v1/evaluate", {
      body: { users: [{ userID: "u1" }], entities: [{ type: "gate", id: gate.id }] },
    });
    expect(explained.body).toEqual(own.body);
    expect((await call("list_stale_gates")).text).not.toContain("first_only");
  });
});

describe("every operation of the evaluation API, with the key of another project", () => {
  const opened = evaluationOperations.filter(({ opensBy }) => opensBy === "key");
  const keepsEvents = ({ statuses }: SweptOperation) => statuses.includes("202");
  const ask = ({ send, key }: TestServer, { method, path, example }: SweptOperation) =>
    send(method, fill(path, { key: "new_checkout", sdkKey: key }), { body: example });
  const askAll = async (project: TestServer) =>
    new Map(await Promise.all(opened.map(async (one) => [one.operationId, (await ask(project, one)).body] as const)));

  let server: TestServer;
  let other: TestServer;
  /** The other project's responses before the first one had any entity, and the first one's responses. */
  let answers: Record<"other" | "first", Map<string, unknown>>;
  let file: string;
  beforeAll(async () => {
    server = await startServer();
    other = asProject(server, await makeOtherProject(server));
    await other.client.createGate({ body: { name: "own gate" } });
    await untilSeen(other, "own_gate");
    const answersToOther = await askAll(other);
    const first = await server.replica();
    const toCall = await prepareEvaluation(first);
    file = toCall(getIDListFile).url.replace(/\?.*/, "");
    await server.client.createDynamicConfig({ body: { name: "button wording", isEnabled: true, defaultValue: { label: "Buy" } } });
    await untilSeen(first, "button_wording");
    answers = { other: answersToOther, first: await askAll(first) };
    // Closing stores the queued exposures of its requests.
    await first.close();
    await untilSeen(other, "own_gate");
  });
  afterAll(() => server.close());

  const getIDListFile = evaluationOperations.find(({ operationId }) => operationId === "getIDListFile") as SweptOperation;

  test.each(opened)("$operationId: returns the same response for any contents of the first project", async (operation) => {
    const expected = answers.other.get(operation.operationId);
    expect((await ask(other, operation)).body).toEqual(expected);
    if (!keepsEvents(operation)) expect(answers.first.get(operation.operationId)).not.toEqual(expected);
  });

  test("changes nothing in the first project", async () => {
    const rows = async () => ({ first: await rowsOfFirst(server), other: await rowsOutside(server.database, "default") });
    const before = await rows();
    const replica = await server.replica();
    // Past the deduplication window, so that batches are not recognized as repeats.
    server.clock.now += 3_600_000;
    await askAll(asProject(replica, other.key));
    await replica.close();
    const after = await rows();
    expect(after.first).toEqual(before.first);
    expect(after.other).not.toEqual(before.other);
  });

  test("getIDListFile: 401 for the first project's file with a key or a token of the other project", async () => {
    const token = (await readStreamUrl(other, other.key)).split("?")[1];
    expect((await other.send("GET", file, { headers: { "X-API-Key": other.key } })).status).toBe(401);
    expect((await other.send("GET", `${file}?${token}`)).status).toBe(401);
  });

  test("streamFlagChanges: announces only the project's own changes", async () => {
    const stream = await listen(other, await readStreamUrl(other, other.key));
    const ofFirst = await listen(server, await readStreamUrl(server, server.key));
    await Promise.all([stream.next(), ofFirst.next()]);
    await server.client.createGate({ body: { name: "not reported" } });
    expect((await ofFirst.next())?.data).toMatchObject({ type: "refetchEvaluation" });
    await other.client.createGate({ body: { name: "reported" } });
    const message = await stream.next();
    expect(message?.data).toMatchObject({ type: "refetchEvaluation" });
    await untilSeen(other, "reported");
    const fresh = await listen(other, await readStreamUrl(other, other.key));
    expect((await fresh.next())?.id).toBe(message?.id);
    for (const { close } of [stream, ofFirst, fresh]) close();
  });
});
