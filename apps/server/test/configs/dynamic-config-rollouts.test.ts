import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { automatedRollouts } from "../../src/jobs/automated-rollouts.ts";
import { make, rule } from "../support/dynamic-configs.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const carryOut = () => automatedRollouts.run({ database: server.database, log: pino({ level: "silent" }), now: () => server.clock.now });
const read = async (id: string) => (await server.client.getDynamicConfig({ path: { id } })).data;
const at = (delay: number, passPercent: number) => ({ time: server.clock.now + delay, passPercent });

describe("an automated rollout of a dynamic config", () => {
  test("runs exactly once when it is due, and is logged with the server as actor", async () => {
    const [soon, later] = [at(1000, 10), at(2000, 50)];
    const rules = [rule("stays"), rule("grows", { passPercentage: 1, returnValue: { a: 1 }, pendingAutomatedRollouts: [later, soon] })];
    const config = await make(server, "grows", { rules });
    await carryOut();
    expect(await read(config.id)).toEqual(config);
    server.clock.now += 1000;
    await Promise.all([carryOut(), carryOut()]);
    expect(await read(config.id)).toMatchObject({
      version: 2,
      lastModifierName: "GATEHOUSE",
      rules: [
        config.rules[0],
        { ...config.rules[1], passPercentage: 10, pendingAutomatedRollouts: [later], completedAutomatedRollouts: [soon] },
      ],
    });
    const where = { entityType: "dynamic_config", entityID: config.id };
    const changes = await server.database.prisma.change.findMany({ where, orderBy: { version: "asc" } });
    expect(changes.map(({ operationID }) => operationID)).toEqual(["createDynamicConfig", "carryOutDynamicConfigRollouts"]);
  });

  test("waits while the dynamic config is archived", async () => {
    const { id } = await make(server, "waits", { rules: [rule("r", { passPercentage: 1, pendingAutomatedRollouts: [at(5, 30)] })] });
    await server.client.archiveDynamicConfig({ path: { id } });
    server.clock.now += 10;
    await carryOut();
    expect((await read(id)).version).toBe(2);
    await server.client.unarchiveDynamicConfig({ path: { id } });
    await carryOut();
    expect((await read(id)).rules[0]?.passPercentage).toBe(30);
  });

  test("waits while its rule is disabled", async () => {
    const pendingAutomatedRollouts = [at(5, 30)];
    const rules = [rule("r", { passPercentage: 1, isEnabled: false, pendingAutomatedRollouts })];
    const { id, rules: made } = await make(server, "waits disabled", { rules });
    server.clock.now += 10;
    await carryOut();
    expect((await read(id)).rules[0]).toMatchObject({ passPercentage: 1, pendingAutomatedRollouts });
    await server.client.patchDynamicConfigRule({ path: { id, ruleId: made[0]?.id ?? "" }, body: { isEnabled: true } });
    await carryOut();
    expect((await read(id)).rules[0]?.passPercentage).toBe(30);
  });

  test("is found by its time: dynamic configs with a rollout before it are listed, others are not", async () => {
    const step = at(60_000, 10);
    const { id } = await make(server, "listed soon", { rules: [rule("r", { passPercentage: 1, pendingAutomatedRollouts: [step] })] });
    await make(server, "listed never", { rules: [rule("r", { passPercentage: 1 })] });
    const listed = async (nextRolloutBefore: number) =>
      (await server.client.listDynamicConfigs({ query: { search: "listed", nextRolloutBefore } })).data.map((one) => one.id);
    expect(await listed(step.time)).toEqual([]);
    expect(await listed(step.time + 1)).toEqual([id]);
  });
});
