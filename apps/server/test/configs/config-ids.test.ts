import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SETTINGS } from "../support/autotunes.ts";
import { conflicting, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const taken = (owner: string, id: string, other: string) =>
  conflicting(`${owner} ${id} already exists, and no ${other} may have its id: SDKs read both by id alone.`);

describe("an id that SDKs read a config by", () => {
  test("cannot be an experiment's while a dynamic config has it", async () => {
    const { client } = server;
    await client.createDynamicConfig({ body: { name: "prices" } });
    const refused = taken("Dynamic config", "prices", "experiment");
    expect(await refusal(client.createExperiment({ body: { name: "Prices" } }))).toEqual(refused);
    expect(await refusal(client.createExperiment({ body: { name: "Other", id: "prices" }, query: { dryRun: true } }))).toEqual(refused);
    await client.createExperiment({ body: { name: "first_try" } });
    expect(await refusal(client.restartExperimentAsNew({ path: { id: "first_try" }, body: { name: "prices" } }))).toEqual(refused);
    await client.deleteDynamicConfig({ path: { id: "prices" } });
    expect((await client.createExperiment({ body: { name: "prices" } })).data.id).toBe("prices");
  });

  test("cannot be a dynamic config's while an experiment has it", async () => {
    const { client } = server;
    await client.createExperiment({ body: { name: "colors" } });
    expect(await refusal(client.createDynamicConfig({ body: { name: "Colors" } }))).toEqual(
      taken("Experiment", "colors", "dynamic config"),
    );
  });

  test("cannot be an autotune's while either has it, and no other's while an autotune has it", async () => {
    const { client } = server;
    const autotune = (name: string) => client.createAutotune({ body: { ...SETTINGS, name } });
    await client.createDynamicConfig({ body: { name: "sizes" } });
    expect(await refusal(autotune("Sizes"))).toEqual(taken("Dynamic config", "sizes", "autotune"));
    await client.createExperiment({ body: { name: "shapes" } });
    expect(await refusal(autotune("Shapes"))).toEqual(taken("Experiment", "shapes", "autotune"));
    await autotune("tones");
    expect(await refusal(autotune("Tones"))).toEqual(conflicting("Autotune tones already exists."));
    expect(await refusal(client.createDynamicConfig({ body: { name: "tones" } }))).toEqual(taken("Autotune", "tones", "dynamic config"));
    expect(await refusal(client.createExperiment({ body: { name: "tones" } }))).toEqual(taken("Autotune", "tones", "experiment"));
  });

  test("goes to exactly one of two entities that are created concurrently", async () => {
    const { client } = server;
    for (const name of Array.from({ length: 10 }, (_, index) => `raced_${index}`)) {
      const body = { body: { name } };
      const both = await Promise.allSettled([client.createDynamicConfig(body), client.createExperiment(body)]);
      const refused = both.filter((one) => one.status === "rejected").map(({ reason }) => reason.status);
      expect([name, refused]).toEqual([name, [409]]);
    }
  });
});
