import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectWarehouse } from "../support/fixture-ingestion.ts";
import { ADDRESS, makeSource, readStatuses } from "../support/ingestion-shop.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await connectWarehouse(server);
});
beforeEach(async () => {
  await server.database.prisma.ingestionRun.deleteMany();
  for (const { id } of (await server.client.listIngestionSources({})).data)
    await server.client.deleteIngestionSource({ path: { name: id } });
});
afterAll(() => server.close());

describe("startIngestionBackfill", () => {
  const start = (body: object) =>
    server.client.startIngestionBackfill({ body: { ...ADDRESS, datestamp_start: "2025-11-20", datestamp_end: "2025-11-20", ...body } });
  const errors = async (body: object) => refusal(start(body));

  test("200: is a run of all days of the enabled sources of the dataset, oldest first", async () => {
    for (const name of ["b", "a"]) await makeSource(server, name);
    await makeSource(server, "disabled", { enabled: false });
    const { data, message } = await start({ datestamp_start: "2025-11-20", datestamp_end: "2025-11-21" });
    expect(message).toBe("Ingestion backfilled successfully.");
    const at = new Date(server.clock.now).toISOString();
    const statuses = [{ statusTimestamp: at, status: "queued" }];
    const day = (dateStamp: string) => ({ dateStamp, statuses, rowCount: 0, copiedCount: 0, refusedCount: 0, message: null });
    const statusByDate = [day("2025-11-20"), day("2025-11-21")];
    const run = {
      ...{ runID: data.runID, dataset: "Events", latestStatus: "queued", trigger: "backfill", creatorName: "CONSOLE API" },
      ...{ createdAt: at, lastUpdatedAt: at, sources: ["a", "b"], dateStamps: ["2025-11-20", "2025-11-21"], runHistory: statuses },
      granularHistory: ["a", "b"].map((source) => ({ source, latestSourceStatus: "queued", statusByDate })),
    };
    expect((await server.client.getIngestionRun({ path: { id: data.runID } })).data).toEqual(run);
    expect(await server.client.listIngestionRuns({ query: { limit: 1 } })).toMatchObject({
      data: [run],
      pagination: { itemsPerPage: 1, totalItems: 1, nextPage: null, all: "/console/v1/ingestion/runs" },
    });
  });

  test("200: is noted in the audit log", async () => {
    await makeSource(server, "a");
    const { data } = await start({ source: "a" });
    const [entry] = await server.database.prisma.change.findMany({ where: { entityType: "ingestion_run", entityID: data.runID } });
    expect(entry).toMatchObject({
      operationID: "startIngestionBackfill",
      after: '{"dataset":"Events","sources":1,"days":1}',
    });
  });

  test("200: a disabled source by its name, and each of a list once", async () => {
    await makeSource(server, "disabled", { enabled: false });
    const { data } = await start({ source: ["disabled", "disabled"] });
    expect((await readStatuses(server, data.runID)).days).toEqual([["disabled", "2025-11-20", "queued"]]);
  });

  test("400: days that are in the wrong order, in the future, or too many", async () => {
    expect(await errors({ datestamp_end: "2025-11-19" })).toEqual(invalid(["datestamp_end", "must not be before datestamp_start"]));
    expect(await errors({ datestamp_start: "2025-10-20" })).toEqual(
      invalid(["datestamp_end", "must be at most 30 days after datestamp_start"]),
    );
    expect(await errors({ datestamp_end: "2025-11-22" })).toEqual(invalid(["datestamp_end", "must not be in the future"]));
    expect(await errors({ datestamp_end: "2025-02-30" })).toMatchObject({ status: 400 });
  });

  test("400: sources that do not exist or are of another dataset, and a dataset without an enabled source", async () => {
    const columns = { experiment: "test", group_id: "variant", timestamp: "at", unit_id: "customer" };
    await makeSource(server, "exposures", { dataset: "Exposures", column_mapping: columns });
    expect(await errors({ source: ["nothing", "exposures"] })).toEqual(
      invalid(
        ["source[0]", "names the source nothing, which does not exist"],
        ["source[1]", "names the source exposures, whose type is postgres and dataset Exposures"],
      ),
    );
    expect(await errors({ source: "nothing" })).toEqual(invalid(["source", "names the source nothing, which does not exist"]));
    expect(await errors({})).toEqual(invalid(["source", "is required: no source of the type postgres and the dataset Events is enabled"]));
    expect(await errors({ dataset: "Metrics" })).toMatchObject({ status: 400, errors: [{ property: "dataset" }] });
  });

  test("400: all of more than 50 sources", async () => {
    for (let index = 0; index <= 50; index += 1) await makeSource(server, `source ${index}`);
    expect(await errors({})).toEqual(invalid(["source", "is required: more than 50 sources are enabled"]));
  });

  test("409 while five runs wait, however many ask at once", async () => {
    await makeSource(server, "a");
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => start({})));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(await errors({})).toEqual(
      conflicting("5 runs of the project wait or are executed. Start another one when one of them has finished.", "body"),
    );
  });
});

test("getIngestionRun: 404 for a run that does not exist", async () => {
  expect(await refusal(server.client.getIngestionRun({ path: { id: "absent" } }))).toMatchObject({
    status: 404,
    message: "Ingestion run absent does not exist.",
  });
});
