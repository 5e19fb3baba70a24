import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLayer } from "../support/layers.ts";
import { needs } from "../support/needs.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Given = Partial<Parameters<TestServer["client"]["createExperiment"]>[0]["body"]>;

async function create(name: string, layerID: string, given: Given = {}) {
  return (await server.client.createExperiment({ body: { name, layerID, ...given } })).data;
}

async function get(id: string) {
  return (await server.client.getExperiment({ path: { id } })).data;
}

const start = (id: string) => server.client.startExperiment({ path: { id } });
const full = (message: string) => conflicting(message, "allocation");

describe("the buckets of a layer", () => {
  test("belong to at most one experiment each, and a full layer rejects the next experiment", async () => {
    await makeLayer(server, "three");
    const experiments = [];
    for (const [name, allocation] of Object.entries({ first: 60, second: 30, third: 20 })) {
      experiments.push(await create(name, "three", { allocation }));
    }
    await start("first");
    await start("second");
    expect(await refusal(start("third"))).toEqual(
      full(
        "Layer three has 100 of its 1000 buckets free, but experiment third needs 200. The others are held by first (600), second (300).",
      ),
    );
    expect(await get("third")).toEqual(experiments[2]);
    const held = [...(await get("first")).userBuckets, ...(await get("second")).userBuckets];
    expect(new Set(held).size).toBe(900);
  });

  test("are free for the next experiment after one shrinks, ends or is deleted", async () => {
    await makeLayer(server, "passed on");
    await create("holder", "passed_on", { status: "active" });
    await create("waiting", "passed_on", { allocation: 40 });
    expect((await refusal(start("waiting"))).status).toBe(409);
    const shrunk = await server.client.patchExperiment({ path: { id: "holder" }, body: { allocation: 60 } });
    await start("waiting");
    const waiting = await get("waiting");
    expect(waiting.userBuckets.filter((bucket) => shrunk.data.userBuckets.includes(bucket))).toEqual([]);
    await server.client.abandonExperiment({ path: { id: "holder" } });
    const grown = await server.client.patchExperiment({ path: { id: "waiting" }, body: { allocation: 100 } });
    expect(grown.data.userBuckets.slice(0, 400)).toEqual(waiting.userBuckets);
    await server.client.deleteExperiment({ path: { id: "waiting" } });
    await create("next", "passed_on", { status: "active" });
  });

  test("are not changed if an experiment would grow beyond the free ones", async () => {
    await makeLayer(server, "tight");
    await create("large", "tight", { status: "active", allocation: 70 });
    const small = await create("small", "tight", { status: "active", allocation: 20 });
    expect(await refusal(server.client.patchExperiment({ path: { id: "small" }, body: { allocation: 40 } }))).toEqual(
      full(
        "Layer tight has 100 of its 1000 buckets free, but experiment small needs 200 more than the 200 that it holds. The others are held by large (700).",
      ),
    );
    expect(await get("small")).toEqual(small);
  });

  test("cannot be taken from a full layer by an experiment that is created active", async () => {
    await makeLayer(server, "taken");
    await create("owner", "taken", { status: "active" });
    expect((await refusal(server.client.createExperiment({ body: { name: "late", layerID: "taken", status: "active" } }))).status).toBe(
      409,
    );
    expect((await refusal(server.client.getExperiment({ path: { id: "late" } }))).status).toBe(404);
  });

  test("are not shared out among experiments without a layer", async () => {
    const everyone = { status: "active" as const };
    const { data: one } = await server.client.createExperiment({ body: { name: "alone", ...everyone } });
    const { data: other } = await server.client.createExperiment({ body: { name: "alone too", ...everyone } });
    expect([one.userBuckets.length, other.userBuckets.length]).toEqual([1000, 1000]);
  });

  test("are disjoint for experiments that start concurrently", needs.postgres, async () => {
    await makeLayer(server, "contended");
    const ids = Array.from({ length: 8 }, (_, index) => `contender_${index}`);
    for (const id of ids) await create(id, "contended", { allocation: 15 });
    const answers = await Promise.allSettled(ids.map(start));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(6);
    const buckets = (await Promise.all(ids.map(get))).flatMap(({ userBuckets }) => userBuckets);
    expect(buckets).toHaveLength(900);
    expect(new Set(buckets).size).toBe(900);
  });
});

describe("the parameters of a layer", () => {
  const parameters = [
    { name: "color", type: "string" as const, defaultValue: "blue" },
    { name: "steps", type: "number" as const, defaultValue: 4 },
  ];
  const groups = (parameterValues: Record<string, unknown>) => [
    { id: "control", name: "Control", size: 50 },
    { id: "green", name: "Green", size: 50, parameterValues },
  ];

  test("400: a value for a parameter that the layer does not have, or of another type", async () => {
    await makeLayer(server, "typed", parameters);
    const body = { name: "mistyped", layerID: "typed", groups: groups({ colour: "green", steps: "1" }) };
    expect(await refusal(server.client.createExperiment({ body }))).toEqual(
      invalid(
        ["groups[1].parameterValues.colour", "is not a parameter of layer typed"],
        ["groups[1].parameterValues.steps", "must be number, the type of the parameter in layer typed"],
      ),
    );
    const { id } = await create("typed well", "typed", { groups: groups({ color: "green" }) });
    expect((await refusal(server.client.patchExperiment({ path: { id }, body: { groups: groups({ colour: "green" }) } }))).status).toBe(
      400,
    );
  });

  test("400: another idType than the layer's", async () => {
    await makeLayer(server, "of users");
    const body = { name: "of devices", layerID: "of_users", idType: "stableID" };
    expect(await refusal(server.client.createExperiment({ body }))).toEqual(
      invalid(["idType", "must be userID, the idType of layer of_users"]),
    );
  });

  test.each([
    [
      "makeExperimentDecision",
      (id: string) => server.client.makeExperimentDecision({ path: { id }, body: { id: "green", decisionReason: "r" } }),
    ],
    [
      "patchExperiment",
      (id: string) => server.client.patchExperiment({ path: { id }, body: { status: "decision_made", launchedGroupID: "green" } }),
    ],
  ])("%s makes the launched group's values the layer's defaults, in the same write", async (name, decide) => {
    const layer = await makeLayer(server, `shipped by ${name}`, parameters);
    const { id } = await create(`ships by ${name}`, layer.id, { status: "active", groups: groups({ color: "green" }) });
    server.clock.now += 1000;
    await decide(id);
    const { data } = await server.client.getLayer({ path: { id: layer.id } });
    const [color, steps] = parameters;
    expect(data).toEqual({
      ...layer,
      parameters: [{ ...color, defaultValue: "green" }, steps],
      version: 2,
      lastModifiedTime: server.clock.now,
    });
  });
});
