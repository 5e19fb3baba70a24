import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe("an experiment with stratified sampling", () => {
  test("requires an existing source, which cannot be deleted while it is used", async () => {
    const stratifiedSampling = { status: "pending" as const, entityPropertySource: { propertySourceName: "strata", column: "plan" } };
    const experiment = () => server.client.createExperiment({ body: { name: "stratified", stratifiedSampling } });
    expect((await refusal(experiment())).errors).toEqual([
      {
        property: "stratifiedSampling.entityPropertySource.propertySourceName",
        errorMessage: "references entity property source strata, which does not exist",
      },
    ]);
    await server.client.createEntityPropertySource({ body: { name: "strata", sql: "select 1", idTypeMapping: [] } });
    await experiment();
    const path = { name: "strata" };
    expect((await refusal(server.client.deleteEntityPropertySource({ path }))).message).toBe(
      "Entity property source strata cannot be deleted: it is referenced by experiment stratified. Use forceArchive to do it anyway.",
    );
    await server.client.deleteEntityPropertySource({ path, query: { forceArchive: true } });
    const { data } = await server.client.patchExperiment({ path: { id: "stratified" }, body: { description: "Still there." } });
    expect(data).toMatchObject({ stratifiedSampling, description: "Still there." });
  });

  test.each([
    ["2025-11-14", "2025-11-01", "must not be before startDate"],
    ["2025-11-01", "2025-11-31", "must be a date such as 2025-11-30"],
  ])("cannot balance by a metric from %s to %s", async (startDate, endDate, errorMessage) => {
    const stratifiedSampling = { status: "pending" as const, metric: { name: "purchase", startDate, endDate } };
    const { errors } = await refusal(server.client.createExperiment({ body: { name: "balanced", stratifiedSampling } }));
    expect(errors).toEqual([{ property: "stratifiedSampling.metric.endDate", errorMessage }]);
  });

  test.each(["entity_property", "entity_properties"])("cannot have the id %s, whose path is of sources", async (id) => {
    const errorMessage = `cannot make the id ${id}, because that path is of entity property sources`;
    expect((await refusal(server.client.createExperiment({ body: { name: id } }))).errors).toEqual([{ property: "id", errorMessage }]);
  });
});
