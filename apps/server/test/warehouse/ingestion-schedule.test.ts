import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe("getIngestionSchedule and updateIngestionSchedule", () => {
  const readHour = async (dataset: "Events" | "Exposures") => (await server.client.getIngestionSchedule({ query: { dataset } })).data;

  test("200: ten o'clock until somebody changes it, for each dataset", async () => {
    expect(await readHour("Events")).toEqual({ dataset: "Events", scheduled_hour_pst: 10, version: 0 });
    const { data, etag } = await server.client.updateIngestionSchedule({ body: { dataset: "Events", scheduled_hour_pst: 3 } });
    expect([data, etag]).toEqual([{ dataset: "Events", scheduled_hour_pst: 3, version: 1 }, '"1"']);
    expect(await readHour("Exposures")).toEqual({ dataset: "Exposures", scheduled_hour_pst: 10, version: 1 });
    expect((await server.client.updateIngestionSchedule({ body: { dataset: "Events" } })).data.scheduled_hour_pst).toBe(10);
  });

  test("400: a dataset that is not copied, and no hour of a day", async () => {
    expect((await refusal(server.client.updateIngestionSchedule({ body: { dataset: "export_exposures" } }))).errors).toEqual([
      { property: "dataset", errorMessage: "is not copied. Reports export exposures" },
    ]);
    expect((await refusal(server.client.updateIngestionSchedule({ body: { dataset: "Events", scheduled_hour_pst: 24 } }))).errors).toEqual([
      { property: "scheduled_hour_pst", errorMessage: "must be <= 23" },
    ]);
  });
});
