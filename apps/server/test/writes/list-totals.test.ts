import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { seeded } from "../sdk/random-project/random.ts";
import { startServer, type TestServer } from "../support/server.ts";

let one: TestServer;
let other: TestServer;
beforeEach(async () => {
  one = await startServer();
  other = await one.replica();
});
afterEach(async () => {
  await other.close();
  await one.close();
});

type Query = Parameters<TestServer["client"]["listGates"]>[0] extends { query?: infer Q } | undefined ? Q : never;
type Model = { archived: boolean; tags: string[]; app: string | undefined; passes: number };

const readTotal = async ({ client }: TestServer, query: Query) =>
  (await client.listGates({ query: { ...query, limit: 1 } as NonNullable<Query> })).pagination.totalItems;
const rule = (passPercentage: number) => [{ name: "all", passPercentage, conditions: [{ type: "public" as const }] }];

/** Queries of lists, each with the gates that match. */
const LISTS: [NonNullable<Query>, (gate: Model) => boolean][] = [
  [{}, ({ archived }) => !archived],
  [{ includeArchived: true }, () => true],
  [{ tags: ["red"] }, ({ archived, tags }) => !archived && tags.includes("red")],
  [{ rolloutRate: ["100"] }, ({ archived, passes }) => !archived && passes === 100],
  [{ targetAppID: "web" }, ({ archived, app }) => !archived && app === "web"],
];

describe("the total of a list", () => {
  test("is exact on every replica after any write on any replica", async () => {
    const random = seeded(9);
    const gates = new Map<string, Model>();
    const writes: Record<string, (server: TestServer, id: string, gate: Model) => Promise<Model | undefined>> = {
      async describe({ client }, id, gate) {
        await client.patchGate({ path: { id }, body: { description: `${random.integer(0, 1e9)}` } });
        return gate;
      },
      async raise({ client }, id, gate) {
        const passes = random.pick([0, 100]);
        await client.patchGate({ path: { id }, body: { rules: rule(passes) } });
        return { ...gate, passes };
      },
      async tag({ client }, id, gate) {
        const tags = random.some(["red", "blue"]);
        await client.patchGate({ path: { id }, body: { tags } });
        return { ...gate, tags };
      },
      async archive({ client }, id, gate) {
        await client.archiveGate({ path: { id }, body: { archiveReason: "tested" } });
        return { ...gate, archived: true };
      },
      async delete({ client }, id) {
        await client.deleteGate({ path: { id } });
        return undefined;
      },
    };
    for (let step = 0; step < 20; step++) {
      const server = random.pick([one, other]);
      const [id, gate] = gates.size < 4 ? [] : random.pick([...gates]);
      if (id !== undefined && gate?.archived) {
        await server.client.unarchiveGate({ path: { id }, body: {} });
        gates.set(id, { ...gate, archived: false });
      } else if (id === undefined || gate === undefined) {
        const name = `gate_${step}`;
        const app = random.pick(["web", undefined]);
        await server.client.createGate({ body: { name, rules: rule(0), tags: ["blue"], ...(app && { targetApps: [app] }) } });
        gates.set(name, { archived: false, tags: ["blue"], app, passes: 0 });
      } else {
        const after = await (random.pick(Object.values(writes)) as (typeof writes)[string])(server, id, gate);
        if (after) gates.set(id, after);
        else gates.delete(id);
      }
      const expected = LISTS.map(([, isFound]) => [...gates.values()].filter(isFound).length);
      for (const replica of [one, other]) expect(await Promise.all(LISTS.map(([query]) => readTotal(replica, query)))).toEqual(expected);
    }
  });

  test("is between the acknowledged and the started creations during concurrent writes", async () => {
    let [begun, acknowledged, isWriting] = [0, 0, true];
    const create = async (server: TestServer, writer: number) => {
      for (let index = 0; index < 10; index++) {
        begun += 1;
        await server.client.createGate({ body: { name: `gate_${writer}_${index}` } });
        acknowledged += 1;
      }
    };
    const watch = async (server: TestServer) => {
      while (isWriting) {
        const least = acknowledged;
        const total = await readTotal(server, {});
        expect(total).toBeGreaterThanOrEqual(least);
        expect(total).toBeLessThanOrEqual(begun);
      }
    };
    const watching = [one, other].map(watch);
    await Promise.all([one, other, one, other].map(create));
    isWriting = false;
    await Promise.all(watching);
    for (const replica of [one, other]) expect(await readTotal(replica, {})).toBe(40);
  });

  test("of gates that reference a gate changes with their references", async () => {
    const conditions = [{ type: "passes_gate" as const, targetValue: "named" }];
    await one.client.createGate({ body: { name: "named" } });
    await one.client.createGate({ body: { name: "naming", rules: [{ name: "r", passPercentage: 1, conditions }] } });
    const total = async ({ client }: TestServer) => (await client.listGateGateReferences({ path: { id: "named" } })).pagination.totalItems;
    expect(await Promise.all([total(one), total(other)])).toEqual([1, 1]);
    await other.client.patchGate({ path: { id: "naming" }, body: { rules: [] } });
    expect(await Promise.all([total(one), total(other)])).toEqual([0, 0]);
  });

  test("of gates by pass rate changes with checks, which no change announces", async () => {
    await one.client.createGate({ body: { name: "checked", rules: rule(100) } });
    const total = () => readTotal(one, { passRate: ["100"] });
    expect(await total()).toBe(0);
    const metadata = { gate: "checked", gateValue: "true", ruleID: "all" };
    const event = { eventName: "statsig::gate_exposure", user: { userID: "alice" }, metadata, time: one.clock.now };
    expect((await one.send("POST", "/v1/log_event", { body: { events: [event], statsigMetadata: {} } })).status).toBe(202);
    expect(await total()).toBe(1);
  });
});
