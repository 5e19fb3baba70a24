import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVERYONE, releasing, toStaff } from "../support/releasing.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const { pipelines, passing } = releasing(() => server);

describe("an environment that requires a release pipeline", () => {
  const requireIn = async (name: string | undefined) => {
    const { environments } = (await server.client.getEnvironments()).data;
    const changed = environments.map((one) => ({ ...one, requiresReleasePipeline: one.name === name }));
    await server.client.updateEnvironments({ body: { environments: changed } });
  };

  test("refuses changes of its rules without a pipeline that has phases, and launches", async () => {
    const { id } = (await server.client.createGate({ body: { name: "unstaged" } })).data;
    await requireIn("production");
    const message = async (call: Promise<unknown>) => (await refusal(call)).message;
    const required = "Environment production requires a release pipeline.";
    const advice = `Set releasePipelineID of gate ${id} to a pipeline that has phases.`;
    const change = (given: object) => server.client.patchGate({ path: { id }, body: { rules: [EVERYONE], ...given } });
    expect(await message(change({}))).toBe(`${required} ${advice}`);
    expect(await message(change({ releasePipelineID: await pipelines.create() }))).toBe(`${required} ${advice}`);
    expect(await message(server.client.launchGate({ path: { id } }))).toBe(
      `${required} A launch reaches everyone at once. Release a rule that everyone passes instead.`,
    );
    await change({ rules: [{ ...EVERYONE, environments: ["staging"] }] });
    await change({ releasePipelineID: await pipelines.create(toStaff()) });
    expect(await passing(id)).toEqual(["staff"]);
    await requireIn(undefined);
  });
});
