import type { Schema } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Environment = Schema<"EnvironmentSet">["environments"][number];
const read = async () => (await server.client.getEnvironments()).data;
const change = async (update: (one: Environment) => Environment) =>
  server.client.updateEnvironments({ body: { environments: (await read()).environments.map(update) } });
const renamed = (from: string, name: string) => (one: Environment) => (one.name === from ? { ...one, name } : one);

/** Schedules a file with one more environment, lets someone else write, and applies it. */
async function applyAfter(write: () => Promise<unknown>) {
  const { environments = [] } = (await server.client.exportProject({ query: { kinds: ["environments"] } })).data;
  const body = { configuration: { environments: [...environments, { ...environments[0], name: "qa" }] } };
  const { data } = await server.client.schedule.applyProject({ body, query: { applyAt: server.clock.now + 1000 } });
  await write();
  server.clock.now += 1000;
  await server.applyDue();
  return (await server.client.getScheduledChange({ path: { id: data.id } })).data.error?.message;
}

describe("environments of a configuration that is applied later", () => {
  test("fail after someone else renamed one, name the old and the new name, and keep the new one", async () => {
    const { version } = await read();
    expect(await applyAfter(() => change(renamed("staging", "beta")))).toBe(
      `The change would no longer have the effect that was scheduled: the environments are at version ${version + 1}, not ${version}. ` +
        'Differences: environments[1].name was "staging" and is now "beta". If it is still needed, schedule it again.',
    );
    expect((await read()).environments.map(({ name }) => name)).toEqual(["development", "beta", "production"]);
  });
});
