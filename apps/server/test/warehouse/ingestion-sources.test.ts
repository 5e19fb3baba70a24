import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectWarehouse } from "../support/fixture-ingestion.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await connectWarehouse(server);
});
afterAll(() => server.close());

type Body = Parameters<TestServer["client"]["createIngestionSource"]>[0]["body"];

const ADDRESS = { type: "postgres", dataset: "Events" } as const;
const COLUMNS = { event_name: "name", timestamp: "at", unit_id: "customer" };
const OF_EXPOSURES = { experiment: "test", group_id: "variant", timestamp: "at", unit_id: "customer" };

const create = (source_name: string, rest: Partial<Body> = {}) =>
  server.client.createIngestionSource({ body: { ...ADDRESS, source_name, query: "select 1", column_mapping: COLUMNS, ...rest } });
const refused = async (rest: Partial<Body>) => (await refusal(create("refused", rest))).errors;
const patch = (name: string, body: object) => server.client.patchIngestionSource({ path: { name }, body });

describe("createIngestionSource", () => {
  test("200: is enabled by default, and leaves out what was not given", async () => {
    const { data, message, etag } = await create("events");
    expect([message, etag]).toEqual(["Ingestion source created successfully.", `"1-${server.clock.now.toString(36)}"`]);
    expect(data).toEqual({
      id: "events",
      type: "postgres",
      enabled: true,
      data: { dataset: "Events", source_name: "events", query: "select 1", column_mapping: { ...COLUMNS, ids: {}, metadata: {} } },
      ...{ creatorID: expect.stringMatching(/^key_/), creatorName: "CONSOLE API", creatorEmail: null, createdTime: server.clock.now },
      ...{ lastModifierID: expect.stringMatching(/^key_/), lastModifierName: "CONSOLE API", lastModifierEmail: null },
      ...{ lastModifiedTime: server.clock.now, version: 1, team: null, teamID: null },
    });
  });

  test("200: stores every field as given, of a table too", async () => {
    const column_mapping = {
      ...{ experiment: "test", group_id: "variant", timestamp: "at", metadata_object: "more" },
      ...{ ids: { companyID: "company", userID: "customer" }, metadata: { shop: "shop_id", toString: "text" } },
    };
    const { data } = await create("exposures", {
      ...{ dataset: "Exposures", enabled: false, query: null, schema: "shop", table: "exposure", column_mapping },
    });
    expect(data).toMatchObject({
      enabled: false,
      data: { dataset: "Exposures", source_name: "exposures", schema: "shop", table: "exposure", column_mapping },
    });
    expect(data.data).not.toHaveProperty("query");
  });

  test("200: takes null, an empty text and the text null for no column", async () => {
    const { data } = await create("without", {
      column_mapping: {
        event_name: "name",
        timestamp: "at",
        unit_id: "",
        ids: { companyID: "company" },
        event_value: null,
        metadata_object: "null",
      },
    });
    expect(data.data.column_mapping).toEqual({ event_name: "name", timestamp: "at", ids: { companyID: "company" }, metadata: {} });
  });

  test("200: registers the unit ID types of its ids, and holds them", async () => {
    await create("of companies", { column_mapping: { ...COLUMNS, ids: { tenantID: "tenant" } } });
    const { errors } = await refusal(server.client.deleteUnitIDType({ path: { id: "tenantID" } }));
    expect(errors).toEqual([{ property: "id", errorMessage: expect.stringContaining("of companies") }]);
  });

  test("400: another engine than the warehouse's, and engines that Gatehouse does not read", async () => {
    expect(await refused({ type: "clickhouse" })).toEqual([
      { property: "type", errorMessage: "must be the engine of the project's warehouse, which is postgres" },
    ]);
    expect(await refused({ type: "snowflake-v2" })).toEqual([
      { property: "type", errorMessage: "is no engine that Gatehouse reads. These are postgres and clickhouse" },
    ]);
  });

  test("400: datasets that are not copied, with what to use instead", async () => {
    const firstError = async (dataset: Body["dataset"]) => (await refused({ dataset }))[0];
    expect(await firstError("Metrics")).toEqual({
      property: "dataset",
      errorMessage: "is not copied. A metric source is read in the warehouse, where its rows are",
    });
    expect(await firstError("export_exposures")).toEqual({ property: "dataset", errorMessage: "is not copied. Reports export exposures" });
    expect(await firstError("entity_properties")).toEqual({
      property: "dataset",
      errorMessage: "is not copied. An entity property source is read in the warehouse, where its rows are",
    });
  });

  test("400: every violation at once", async () => {
    expect(
      await refusal(
        server.client.createIngestionSource({
          body: {
            ...{ type: "athena", dataset: "Events", source_name: "..", use_delta_sharing: true, share: "s", query: " ", schema: "shop" },
            column_mapping: { timestamp: "at", experiment: "test", id_type: "userID" },
          },
        }),
      ),
    ).toEqual(
      invalid(
        ["source_name", "cannot be .., which has a special meaning in URLs"],
        ["type", "is no engine that Gatehouse reads. These are postgres and clickhouse"],
        ["use_delta_sharing", "must be left out: no engine that Gatehouse reads shares tables so"],
        ["share", "must be left out: no engine that Gatehouse reads shares tables so"],
        ["query", "must not be empty"],
        ["schema", "must be left out without table"],
        ["column_mapping.experiment", "belongs to the dataset Exposures"],
        ["column_mapping.event_name", "is required"],
        ["column_mapping.id_type", "belongs to the dataset Metrics, which is not copied"],
        ["column_mapping.unit_id", "is required, unless ids names a column"],
      ),
    );
  });

  test("400: a query and a table, and neither", async () => {
    expect(await refused({ table: "event" })).toEqual([{ property: "query", errorMessage: "must be left out with table" }]);
    expect(await refused({ query: null })).toEqual([{ property: "query", errorMessage: "is required, unless table is given" }]);
  });

  test("400: columns of the other dataset, two columns of userID, and names with a dot", async () => {
    expect(await refused({ dataset: "Exposures", column_mapping: { ...OF_EXPOSURES, event_name: "a", event_value: "b" } })).toEqual([
      { property: "column_mapping.event_name", errorMessage: "belongs to the dataset Events" },
      { property: "column_mapping.event_value", errorMessage: "belongs to the dataset Events" },
    ]);
    expect(await refused({ column_mapping: { ...COLUMNS, ids: { userID: "customer" } } })).toEqual([
      { property: "column_mapping.unit_id", errorMessage: "must be left out with ids.userID, which names a column of the same ids" },
    ]);
    expect(await refused({ query: null, table: "shop.event" })).toEqual([{ property: "table", errorMessage: "must not have a period" }]);
  });

  test("400: more ids than 100, and names that are too long", async () => {
    const ids = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`id${index}`, "a"]));
    const listErrors = async (columns: object) =>
      (await refused({ column_mapping: { ...COLUMNS, ...columns } })).map((error) => Object.values(error as object));
    expect(await listErrors({ ids })).toEqual([["column_mapping.ids", "must NOT have more than 100 properties"]]);
    expect(await listErrors({ metadata: { ["n".repeat(101)]: "a" } })).toEqual([
      ["column_mapping.metadata", "must NOT have more than 100 characters"],
      ["column_mapping.metadata", "property name must be valid"],
    ]);
    expect(await listErrors({ metadata: { long: "a".repeat(201), none: "", no_text: 1 } })).toEqual([
      ["column_mapping.metadata.long", "must NOT have more than 200 characters"],
      ["column_mapping.metadata.none", "must NOT have fewer than 1 characters"],
      ["column_mapping.metadata.no_text", "must be string"],
    ]);
  });

  test("400 in a project without a warehouse", async () => {
    await server.client.deleteWarehouseConnection({});
    expect(await refused({})).toEqual([
      { property: "type", errorMessage: "must be the engine of the project's warehouse, of which the project has none: connect one first" },
    ]);
    await connectWarehouse(server);
  });

  test("409: a source with the same name exists", async () => {
    await create("taken");
    expect(await refusal(create("taken", { dataset: "Exposures", column_mapping: OF_EXPOSURES }))).toEqual(
      conflicting("Ingestion source taken already exists."),
    );
  });
});

describe("patchIngestionSource", () => {
  test("200: changes what is given, and replaces column_mapping as a whole", async () => {
    await create("changing", { column_mapping: { ...COLUMNS, event_value: "total", ids: { companyID: "company" } } });
    expect((await patch("changing", { enabled: false })).data).toMatchObject({ enabled: false, version: 2 });
    const { data } = await patch("changing", { column_mapping: { ...COLUMNS, event_name: "kind" } });
    expect(data.data.column_mapping).toEqual({ ...COLUMNS, event_name: "kind", ids: {}, metadata: {} });
    expect(data.data.query).toBe("select 1");
  });

  test("200: a table takes the place of a query, and the other way round", async () => {
    await create("moving");
    const readOrigin = async (body: object) => {
      const { query, schema, table } = (await patch("moving", body)).data.data;
      return { query, schema, table };
    };
    expect(await readOrigin({ schema: "shop", table: "event" })).toEqual({ schema: "shop", table: "event" });
    expect(await readOrigin({ table: "events" })).toEqual({ schema: "shop", table: "events" });
    expect(await readOrigin({ schema: null })).toEqual({ table: "events" });
    expect(await readOrigin({ query: "select 2" })).toEqual({ query: "select 2" });
  });

  test("200: accepts the present name and dataset, and the engine of the warehouse", async () => {
    await create("same");
    expect((await patch("same", { ...ADDRESS, source_name: "same" })).data.version).toBe(2);
  });

  test("400: another name or dataset, another engine, and no rows", async () => {
    await create("fixed");
    expect((await refusal(patch("fixed", { source_name: "other", dataset: "Exposures", type: "clickhouse", query: null }))).errors).toEqual(
      [
        { property: "dataset", errorMessage: "cannot be changed" },
        { property: "source_name", errorMessage: "cannot be changed" },
        { property: "type", errorMessage: "must be the engine of the project's warehouse, which is postgres" },
        { property: "query", errorMessage: "is required, unless table is given" },
      ],
    );
    expect((await refusal(patch("fixed", { query: "select 2", table: "event" }))).errors).toEqual([
      { property: "query", errorMessage: "must be left out with table" },
    ]);
  });

  test("200: follows the warehouse to another engine, and says so in its versions", async () => {
    await create("following");
    const url = "clickhouse://reader@warehouse.example.com/shop";
    await server.client.updateWarehouseConnection({ body: { clickhouse: { url } } });
    expect((await patch("following", { enabled: false })).data.type).toBe("postgres");
    expect((await patch("following", { type: "clickhouse" })).data.type).toBe("clickhouse");
    const { data } = await server.client.restoreIngestionSourceVersion({ path: { name: "following", version: 1 } });
    expect(data).toMatchObject({ type: "postgres", enabled: true, version: 4 });
    await server.client.updateWarehouseConnection({ body: { postgres: { url: url.replace("clickhouse", "postgres") } } });
  });
});

describe("deleteIngestionSource", () => {
  test("200: answers its last state, and lets its unit ID types go", async () => {
    const { data } = await create("passing", { column_mapping: { ...COLUMNS, ids: { passingID: "id" } } });
    const deleted = await server.client.deleteIngestionSource({ path: { name: "passing" } });
    expect([deleted.message, deleted.data]).toEqual(["Ingestion deleted successfully.", data]);
    expect((await refusal(server.client.getIngestionSource({ path: { name: "passing" } }))).status).toBe(404);
    await server.client.deleteUnitIDType({ path: { id: "passingID" } });
  });
});

describe("getIngestion, patchIngestion and deleteIngestion", () => {
  const query = { type: "postgres", dataset: "Exposures" } as const;
  beforeAll(async () => {
    for (const { id } of (await server.client.listIngestionSources({})).data)
      await server.client.deleteIngestionSource({ path: { name: id } });
  });

  test("404 without a source of the type and dataset, and with a name of another one", async () => {
    await create("an event");
    const message = "An ingestion source of the type postgres and the dataset Exposures does not exist.";
    expect(await refusal(server.client.getIngestion({ query }))).toMatchObject({ status: 404, message });
    expect(await refusal(server.client.patchIngestion({ body: { ...query, enabled: false } }))).toMatchObject({ status: 404, message });
    expect(await refusal(server.client.deleteIngestion({ query: { ...query, source_name: "an event" } }))).toMatchObject({
      status: 404,
      message: "An ingestion source of the type postgres and the dataset Exposures with the name an event does not exist.",
    });
  });

  test("200: the only one of the dataset needs no name", async () => {
    await create("first", { dataset: "Exposures", column_mapping: OF_EXPOSURES });
    const { data, etag } = await server.client.getIngestion({ query });
    expect([data.id, etag]).toEqual(["first", `"1-${server.clock.now.toString(36)}"`]);
    expect((await server.client.patchIngestion({ body: { ...query, enabled: false } })).data).toMatchObject({
      id: "first",
      enabled: false,
    });
  });

  test("400: one of several needs a name, and the error has them", async () => {
    await create("second", { dataset: "Exposures", column_mapping: OF_EXPOSURES });
    const several = invalid([
      "source_name",
      expect.stringMatching(/^is required, since there are 2: (first, second|second, first)$/) as never,
    ]);
    expect(await refusal(server.client.getIngestion({ query }))).toEqual(several);
    expect(await refusal(server.client.patchIngestion({ body: { ...query, enabled: true } }))).toEqual(several);
    expect(await refusal(server.client.deleteIngestion({ query }))).toEqual(several);
    expect((await server.client.getIngestion({ query: { ...query, source_name: "second" } })).data.id).toBe("second");
    expect((await server.client.deleteIngestion({ query: { ...query, source_name: "second" } })).data.id).toBe("second");
  });

  test("400: a patch of an engine and a dataset that are not copied", async () => {
    expect((await refusal(server.client.patchIngestion({ body: { type: "s3", dataset: "Metrics" } }))).errors).toEqual([
      { property: "type", errorMessage: "is no engine that Gatehouse reads. These are postgres and clickhouse" },
      { property: "dataset", errorMessage: "is not copied. A metric source is read in the warehouse, where its rows are" },
    ]);
  });
});
