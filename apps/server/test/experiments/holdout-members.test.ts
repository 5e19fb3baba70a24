import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Lists = { gateIDs: string[]; experimentIDs: string[]; layerIDs: string[] };

const createHoldout = async (name: string, body: Partial<Lists> = {}) =>
  (await server.client.createHoldout({ body: { name, ...body } })).data;
const createGate = async (name: string) => (await server.client.createGate({ body: { name } })).data;
const getGate = async (id: string) => (await server.client.getGate({ path: { id } })).data;

describe("holdoutIDs", () => {
  test("of a gate, an experiment and a layer name the holdout that lists them, in a new logged version", async () => {
    const gate = await createGate("held gate");
    const { data: experiment } = await server.client.createExperiment({ body: { name: "held experiment" } });
    const { data: layer } = await server.client.createLayer({ body: { name: "held layer", idType: "userID" } });
    const { id } = await createHoldout("holder");
    server.clock.now += 1000;
    const lists = { gateIDs: [gate.id], experimentIDs: [experiment.id], layerIDs: [layer.id] };
    await server.client.patchHoldout({ path: { id }, body: lists });
    const changed = { holdoutIDs: [id], lastModifiedTime: server.clock.now, version: 2 };
    expect(await getGate(gate.id)).toEqual({ ...gate, ...changed });
    expect((await server.client.getExperiment({ path: { id: experiment.id } })).data).toEqual({ ...experiment, ...changed });
    expect((await server.client.getLayer({ path: { id: layer.id } })).data).toEqual({ ...layer, ...changed });
    const changes = await server.database.prisma.change.findMany({
      where: { operationID: "patchHoldout", entityID: { in: [id, gate.id, experiment.id, layer.id] } },
      select: { entityType: true, version: true },
    });
    expect(changes).toHaveLength(4);
    expect(changes).toEqual(
      expect.arrayContaining(["holdout", "gate", "experiment", "layer"].map((entityType) => ({ entityType, version: 2 }))),
    );
  });

  test("name two holdouts, each until it removes the gate or is deleted", async () => {
    const gate = await createGate("held twice");
    const gateIDs = [gate.id];
    const b = await createHoldout("holder b", { gateIDs });
    const a = await createHoldout("holder a", { gateIDs });
    expect((await getGate(gate.id)).holdoutIDs).toEqual([a.id, b.id]);
    await server.client.patchHoldout({ path: { id: a.id }, body: { gateIDs: [] } });
    expect((await getGate(gate.id)).holdoutIDs).toEqual([b.id]);
    await server.client.deleteHoldout({ path: { id: b.id } });
    expect((await getGate(gate.id)).holdoutIDs).toEqual([]);
  });

  test("stay the same, as does the gate's version, if a write keeps the lists", async () => {
    const gate = await createGate("left alone");
    const { id } = await createHoldout("steady", { gateIDs: [gate.id] });
    const before = await getGate(gate.id);
    await server.client.patchHoldout({ path: { id }, body: { passPercentage: 3 } });
    expect(await getGate(gate.id)).toEqual(before);
  });

  test("do not name a global holdout that does not list the gate", async () => {
    const gate = await createGate("globally held");
    const { data } = await server.client.createHoldout({ body: { name: "global", isGlobal: true } });
    expect((await getGate(gate.id)).holdoutIDs).toEqual([]);
    await server.client.patchHoldout({ path: { id: data.id }, body: { gateIDs: [gate.id] } });
    expect((await getGate(gate.id)).holdoutIDs).toEqual([data.id]);
  });

  test("are set by the server: an update of the gate does not change them", async () => {
    const gate = await createGate("stubborn");
    const { id } = await createHoldout("keeper", { gateIDs: [gate.id] });
    const body = { isEnabled: true, description: "", rules: [], holdoutIDs: [] };
    expect((await server.send("POST", `/console/v1/gates/${gate.id}`, { body })).body.data.holdoutIDs).toEqual([id]);
  });

  test("do not change if an earlier version of the gate is restored", async () => {
    const gate = await createGate("turned back");
    const { id } = await createHoldout("unmoved", { gateIDs: [gate.id] });
    const { data } = await server.client.restoreGateVersion({ path: { id: gate.id, version: 1 } });
    expect(data).toEqual({ ...gate, holdoutIDs: [id], version: 3 });
  });

  test("of a gate that was deleted by force and recreated are set by the holdout's next write", async () => {
    const gate = await createGate("reborn");
    const { id } = await createHoldout("patient", { gateIDs: [gate.id] });
    await server.client.deleteGate({ path: { id: gate.id }, query: { forceArchive: true } });
    await server.client.patchHoldout({ path: { id }, body: { description: "The gate is gone." } });
    await createGate("reborn");
    expect((await getGate(gate.id)).holdoutIDs).toEqual([]);
    await server.client.patchHoldout({ path: { id }, body: { gateIDs: [gate.id] } });
    expect((await getGate(gate.id)).holdoutIDs).toEqual([id]);
  });

  test("appear in a dry run with the holdout, and do not change", async () => {
    const gate = await createGate("tried out");
    const { id } = await createHoldout("trying");
    const { changes } = await server.client.patchHoldout({ path: { id }, query: { dryRun: true }, body: { gateIDs: [gate.id] } });
    expect(changes).toEqual([
      { entityType: "holdout", entityID: id, fields: [{ field: "gateIDs", before: [], after: [gate.id] }] },
      { entityType: "gate", entityID: gate.id, fields: [{ field: "holdoutIDs", before: [], after: [id] }] },
    ]);
    expect((await getGate(gate.id)).holdoutIDs).toEqual([]);
  });

  test("do not change if If-Match names another version of the holdout", async () => {
    const gate = await createGate("well guarded");
    const { id } = await createHoldout("guarding");
    const call = server.client.patchHoldout({ path: { id }, body: { gateIDs: [gate.id] }, ifMatch: '"9-x"' });
    expect((await refusal(call)).message).toBe("The holdout guarding is at version 1, which does not match If-Match. Read it again.");
    expect(await getGate(gate.id)).toEqual(gate);
  });

  test("match the lists after any sequence of writes", async () => {
    const random = mulberry32(7);
    const pick = <T>(items: T[]) => items.filter(() => random() < 0.5);
    const gates = await Promise.all(["g1", "g2", "g3"].map((name) => createGate(`walk ${name}`)));
    const layers = await Promise.all(
      ["l1", "l2"].map(async (name) => (await server.client.createLayer({ body: { name: `walk ${name}`, idType: "userID" } })).data),
    );
    const experiments = await Promise.all(
      ["e1", "e2"].map(async (name) => (await server.client.createExperiment({ body: { name: `walk ${name}` } })).data),
    );
    const ids = (entities: { id: string }[]) => entities.map(({ id }) => id);
    const anyLists = (): Lists => ({
      gateIDs: pick(ids(gates)),
      experimentIDs: pick(ids(experiments)),
      layerIDs: pick(ids(layers)),
    });
    const names = ["walker a", "walker b", "walker c"];
    const alive = new Map<string, Lists>();
    for (let count = 0; count < 40; count++) {
      const name = names[Math.floor(random() * names.length)] as string;
      const id = name.replace(" ", "_");
      if (!alive.has(id)) alive.set(id, await createHoldout(name, anyLists()));
      else if (random() < 0.25) {
        await server.client.deleteHoldout({ path: { id } });
        alive.delete(id);
      } else if (random() < 0.3) {
        alive.set(id, (await server.client.restoreHoldoutVersion({ path: { id, version: 1 } })).data);
      } else alive.set(id, (await server.client.patchHoldout({ path: { id }, body: anyLists() })).data);
      const listing = (list: keyof Lists, entity: string) =>
        [...alive]
          .filter(([, lists]) => lists[list].includes(entity))
          .map(([holdout]) => holdout)
          .sort();
      for (const { id } of gates) expect((await getGate(id)).holdoutIDs).toEqual(listing("gateIDs", id));
      for (const { id } of layers) {
        expect((await server.client.getLayer({ path: { id } })).data.holdoutIDs).toEqual(listing("layerIDs", id));
      }
      for (const { id } of experiments) {
        expect((await server.client.getExperiment({ path: { id } })).data.holdoutIDs).toEqual(listing("experimentIDs", id));
      }
    }
  });

  test("name every holdout that concurrently added the gates", needs.postgres, async () => {
    const gates = await Promise.all(["p1", "p2", "p3", "p4"].map((name) => createGate(`raced ${name}`)));
    const gateIDs = gates.map(({ id }) => id);
    const holdouts = await Promise.all(["ra", "rb", "rc", "rd"].map((name) => createHoldout(`racer ${name}`)));
    await Promise.all(
      holdouts.map(({ id }, index) =>
        server.client.patchHoldout({ path: { id }, body: { gateIDs: index % 2 ? gateIDs : gateIDs.toReversed() } }),
      ),
    );
    for (const id of gateIDs) expect((await getGate(id)).holdoutIDs).toEqual(holdouts.map((holdout) => holdout.id));
  });
});

describe("deleteGate", () => {
  test("409: a holdout holds the gate; the message names it", async () => {
    const gate = await createGate("needed");
    const { id } = await createHoldout("needing", { gateIDs: [gate.id] });
    const { status, message } = await refusal(server.client.deleteGate({ path: { id: gate.id } }));
    expect(status).toBe(409);
    expect(message).toContain(id);
  });
});

/** A seeded random number generator, for reproducible runs. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
