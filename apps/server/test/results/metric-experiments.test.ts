import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";

describe("listMetricExperiments", () => {
  let server: TestServer;
  const path = { id: "Filtered goal::event_user" };
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.close());

  test("returns those that match every filter, page by page, with their number", async () => {
    const named = [{ name: "Filtered goal", type: "event_user" }];
    await server.client.createMetric({ body: { name: "Filtered goal", type: "event_user", metricEvents: [{ name: "purchase" }] } });
    const experiment = async (name: string, given: object = {}) =>
      (await server.client.createExperiment({ body: { name, primaryMetrics: named, ...given } })).data;
    const first = await experiment("first filtered", { tags: ["core", "web"], status: "active" });
    await experiment("second filtered", { tags: ["core"], idType: "stableID" });
    await experiment("third filtered");
    // It matches filters, but names another metric.
    await experiment("other filtered", { primaryMetrics: [], tags: ["core", "web"] });
    type Query = Parameters<typeof server.client.listMetricExperiments>[0]["query"];
    const found = async (query: Query): Promise<[names: string[], total: number | undefined]> => {
      const { data, pagination } = await server.client.listMetricExperiments({ path, query });
      return [data.map(({ name }) => name).sort(), pagination.totalItems];
    };
    const all = ["first filtered", "second filtered", "third filtered"];
    const today = new Date(first.createdTime).toISOString().slice(0, 10);
    const { data: app } = await server.client.createTargetApp({ body: { name: "Filtered app", description: "" } });
    await server.client.patchExperiment({ path: { id: "third_filtered" }, body: { targetApps: [app.name] } });
    const cases: [Query, string[]][] = [
      [{ tags: ["core"] }, ["first filtered", "second filtered"]],
      [{ tags: ["core", "web"] }, ["first filtered"]],
      [{ status: ["active"] }, ["first filtered"]],
      [{ status: ["setup", "active"], idType: "userID" }, ["first filtered", "third filtered"]],
      [{ idType: "stableID" }, ["second filtered"]],
      [{ targetAppID: app.id }, ["third filtered"]],
      [{ creatorID: first.creatorID ?? "", creatorName: first.creatorName ?? "" }, all],
      [{ creatorName: "Nobody" }, []],
      [{ experimentType: "BASE" }, all],
      [{ experimentType: "SIDECAR" }, []],
      [{ layerID: "no_layer" }, []],
      [{ teamID: "no_team" }, []],
      [{ stale: true }, []],
      [{ createdStartDate: today }, all],
      [{ createdEndDate: "2020-01-01" }, []],
    ];
    for (const [query, names] of cases) expect(await found(query), JSON.stringify(query)).toEqual([names, names.length]);
    const pages = [await found({ tags: ["core"], limit: 1 }), await found({ tags: ["core"], limit: 1, page: 2 })];
    expect(pages.map(([, total]) => total)).toEqual([2, 2]);
    expect(pages.flatMap(([names]) => names).sort()).toEqual(["first filtered", "second filtered"]);
    await server.client.patchExperiment({ path: { id: "first_filtered" }, body: { tags: ["web"] } });
    expect(await found({ tags: ["core"], limit: 1 })).toEqual([["second filtered"], 1]);
    const impossible = server.client.listMetricExperiments({ path, query: { createdStartDate: "2025-02-30" } });
    expect((await refusal(impossible)).errors).toEqual([
      { property: "createdStartDate", errorMessage: "must be a date such as 2025-11-30" },
    ]);
  });
});
