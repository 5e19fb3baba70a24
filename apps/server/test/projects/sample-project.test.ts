import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleProject } from "../../src/jobs/sample-project.ts";
import { startServer, type TestServer } from "../support/server.ts";

const MINUTE_MS = 60_000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const env = (stopping?: AbortSignal) => ({
  ...{ database: server.database, log: server.log, now: () => server.clock.now },
  ...(stopping && { stopping }),
});
const create = () => server.send("POST", "/console/v1/sample_project");
const read = async () => (await server.send("GET", "/console/v1/sample_project")).body.data;

describe("createSampleProject, getSampleProject", () => {
  test(
    "200: two requests and an interruption load each day of one shop exactly once",
    async () => {
      expect(await read()).toEqual({ id: null, state: "absent", loadedDays: 0, days: 40 });
      const [one, other] = await Promise.all([create(), create()]);
      const { id } = one.body.data;
      expect([one.status, other.status, other.body.data.id]).toEqual([200, 200, id]);

      const stopping = new AbortController();
      let days = 0;
      const now = () => {
        days += 1;
        if (days === 12) stopping.abort();
        return server.clock.now;
      };
      await sampleProject.run({ ...env(stopping.signal), now });
      expect(await read()).toEqual({ id, state: "loading", loadedDays: 12, days: 40 });
      // Two replicas continue.
      await Promise.all([sampleProject.run(env()), sampleProject.run(env())]);
      await sampleProject.run(env());
      expect(await read()).toEqual({ id, state: "ready", loadedDays: 40, days: 40 });

      const counts = await server.database.prisma.$queryRaw<{ name: string; count: number }[]>`
        select name, sum(count)::int as count from event_count where "projectID" = ${id} group by 1 order by 1`;
      expect(Object.fromEntries(counts.map(({ name, count }) => [name, count]))).toEqual({
        product_view: 33_884,
        add_to_cart: 8_022,
        begin_checkout: 4_906,
        purchase: 2_905,
        page_timeout: 1_087,
        "statsig::config_exposure": 24_143,
        "statsig::gate_exposure": 4_375,
      });
    },
    10 * MINUTE_MS,
  );
});
