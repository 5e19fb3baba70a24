import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { automatedRollouts } from "../../src/jobs/automated-rollouts.ts";
import { startJobs } from "../../src/jobs/jobs.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const log = pino({ level: "silent" });
const jobEnv = () => ({ database: server.database, log, now: () => server.clock.now });
const carryOut = () => automatedRollouts.run(jobEnv());

async function make(name: string, ...pendingAutomatedRollouts: { time: number; passPercent: number }[]) {
  const rules = [{ name: "Everyone", passPercentage: 1, conditions: [], pendingAutomatedRollouts }];
  const { data } = await server.client.createGate({ body: { name, rules } });
  return { id: data.id };
}

const readRule = async (path: { id: string }) => {
  const { data } = await server.client.getGate({ path });
  const [{ passPercentage, pendingAutomatedRollouts, completedAutomatedRollouts } = {}] = data.rules;
  return { version: data.version, passPercentage, pendingAutomatedRollouts, completedAutomatedRollouts };
};

describe("an automated rollout", () => {
  test("runs when it is due and not before, and is then complete", async () => {
    const { now } = server.clock;
    const [first, second] = [
      { time: now + 1000, passPercent: 10 },
      { time: now + 2000, passPercent: 50 },
    ];
    const path = await make("due in turn", second, first);
    expect(await readRule(path)).toMatchObject({ version: 1, passPercentage: 1, pendingAutomatedRollouts: [first, second] });
    server.clock.now = first.time - 1;
    await carryOut();
    expect((await readRule(path)).version).toBe(1);
    server.clock.now = first.time;
    await carryOut();
    const state = { pendingAutomatedRollouts: [second], completedAutomatedRollouts: [first] };
    expect(await readRule(path)).toEqual({ version: 2, passPercentage: 10, ...state });
    server.clock.now = second.time + 1;
    await carryOut();
    const done = { pendingAutomatedRollouts: [], completedAutomatedRollouts: [first, second] };
    expect(await readRule(path)).toEqual({ version: 3, passPercentage: 50, ...done });
  });

  test("that was missed is superseded by the last one that is due", async () => {
    const { now } = server.clock;
    const path = await make("made up for", { time: now + 1, passPercent: 10 }, { time: now + 2, passPercent: 20 });
    server.clock.now = now + 10_000;
    await carryOut();
    expect(await readRule(path)).toMatchObject({ version: 2, passPercentage: 20, pendingAutomatedRollouts: [] });
  });

  test("runs exactly once among several replicas, and is logged with the server as actor", async () => {
    const paths = [];
    for (let count = 0; count < 20; count++) {
      paths.push(await make(`once ${count}`, { time: server.clock.now + 5, passPercent: 30 }));
    }
    server.clock.now += 5;
    await Promise.all([carryOut(), carryOut(), carryOut()]);
    for (const path of paths) {
      expect(await readRule(path)).toMatchObject({ version: 2, passPercentage: 30 });
      const rows = await server.database.prisma.change.findMany({ where: { entityID: path.id }, orderBy: { version: "asc" } });
      expect(rows.map(({ operationID, actorName }) => [operationID, actorName])).toEqual([
        ["createGate", "CONSOLE API"],
        ["carryOutGateRollouts", "GATEHOUSE"],
      ]);
    }
  });

  test("waits while its gate is archived", async () => {
    const path = await make("waits archived", { time: server.clock.now + 5, passPercent: 30 });
    await server.client.archiveGate({ path });
    server.clock.now += 10;
    await carryOut();
    expect((await readRule(path)).passPercentage).toBe(1);
    await server.client.unarchiveGate({ path });
    await carryOut();
    expect((await readRule(path)).passPercentage).toBe(30);
  });

  test("waits while its rule is disabled, and the last one that became due decides once it is enabled", async () => {
    const { now } = server.clock;
    const [first, second, third] = [
      { time: now + 5, passPercent: 30 },
      { time: now + 6, passPercent: 40 },
      { time: now + 100, passPercent: 50 },
    ];
    const pending = [first, second, third];
    const path = await make("waits disabled", ...pending);
    const { rules } = (await server.client.getGate({ path })).data;
    const ruleID = rules[0]?.id ?? "";
    const other = { name: "Other", passPercentage: 2, conditions: [], pendingAutomatedRollouts: [first] };
    await server.client.addGateRule({ path, body: other });
    await server.client.patchGateRule({ path: { ...path, ruleID }, body: { isEnabled: false } });
    server.clock.now += 10;
    await carryOut();
    expect(await readRule(path)).toMatchObject({ version: 4, passPercentage: 1, pendingAutomatedRollouts: pending });
    expect((await server.client.getGate({ path })).data.rules[1]?.passPercentage).toBe(30);
    await carryOut();
    expect((await readRule(path)).version).toBe(4);
    await server.client.patchGateRule({ path: { ...path, ruleID }, body: { isEnabled: true } });
    await carryOut();
    const done = { pendingAutomatedRollouts: [third], completedAutomatedRollouts: [first, second] };
    expect(await readRule(path)).toEqual({ version: 6, passPercentage: 40, ...done });
  });

  test("that became due while its rule was disabled is left out of a restored version", async () => {
    const path = await make("restored disabled", { time: server.clock.now + 5, passPercent: 30 });
    const { rules } = (await server.client.getGate({ path })).data;
    const ruleID = rules[0]?.id ?? "";
    await server.client.patchGateRule({ path: { ...path, ruleID }, body: { isEnabled: false } });
    server.clock.now += 10;
    await server.client.restoreGateVersion({ path: { ...path, version: 2 } });
    await server.client.patchGateRule({ path: { ...path, ruleID }, body: { isEnabled: true } });
    await carryOut();
    expect(await readRule(path)).toMatchObject({ version: 4, passPercentage: 1, pendingAutomatedRollouts: [] });
  });

  test("is found by its time: gates with a rollout before it are listed, others are not", async () => {
    const time = server.clock.now + 60_000;
    const soon = await make("listed soon", { time, passPercent: 10 }, { time: time + 1000, passPercent: 20 });
    const archived = await make("listed archived", { time, passPercent: 10 });
    await server.client.archiveGate({ path: archived, body: {} });
    await make("listed never");
    const switchedOff = { name: "Everyone", isEnabled: false, passPercentage: 1, conditions: [] };
    await server.client.createGate({
      body: { name: "listed off", rules: [{ ...switchedOff, pendingAutomatedRollouts: [{ time, passPercent: 10 }] }] },
    });
    const listed = async (nextRolloutBefore: number) =>
      (await server.client.listGates({ query: { search: "listed", includeArchived: true, nextRolloutBefore } })).data.map(({ id }) => id);
    expect(await listed(time)).toEqual([]);
    expect(await listed(time + 1)).toEqual([soon.id]);
    server.clock.now = time;
    await carryOut();
    expect(await listed(time + 1000)).toEqual([]);
    expect(await listed(time + 1001)).toEqual([soon.id]);
  });

  test("happens automatically while the server runs, even after a failed run", async () => {
    const path = await make("by itself", { time: server.clock.now + 5, passPercent: 30 });
    server.clock.now += 5;
    let runs = 0;
    const failsOnce = {
      ...automatedRollouts,
      intervalMs: 10,
      run: () => {
        runs += 1;
        return runs === 1 ? Promise.reject(new Error("broken")) : carryOut();
      },
    };
    const jobs = startJobs([failsOnce], jobEnv());
    await waitFor(async () => expect((await readRule(path)).passPercentage).toBe(30));
    await jobs.stop();
    const stoppedAt = runs;
    // Another job with the same interval shows that enough time has passed for the stopped one to run.
    let others = 0;
    const other = startJobs([{ name: "other", intervalMs: 10, run: async () => void others++ }], jobEnv());
    await waitFor(() => expect(others).toBeGreaterThan(3));
    await other.stop();
    expect(runs).toBe(stoppedAt);
  });
});
