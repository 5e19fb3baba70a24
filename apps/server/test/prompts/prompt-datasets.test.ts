import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let count = 0;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

type Body = Parameters<TestServer["client"]["createPromptDataset"]>[0]["body"];
const create = async (body: Omit<Body, "name">) =>
  (await server.client.createPromptDataset({ body: { name: `Dataset ${++count}`, ...body } })).data;
const faultsOf = (csv: string) => refusal(create({ csv }));

describe("createPromptDataset", () => {
  test("creates rows from JSON", async () => {
    const rows: Body["rows"] = [{ input: { order: "Two mugs" }, expected: "mugs" }, { input: {} }];
    const { id, rows: stored, version } = await create({ rows });
    expect([id, stored, version]).toEqual([`dataset_${count}`, rows, 1]);
    expect((await server.client.getPromptDataset({ path: { id } })).data.rows).toEqual(rows);
  });

  test("creates rows from CSV with quoted values, a byte order mark and empty lines", async () => {
    const csv = '\uFEFForder, tone ,expected\r\n"Two mugs, ""blue""\r\nand white",polite,mugs\r\n\r\nOne lamp,,\r\n';
    expect((await create({ csv })).rows).toEqual([
      { input: { order: 'Two mugs, "blue"\nand white', tone: "polite" }, expected: "mugs" },
      { input: { order: "One lamp", tone: "" }, expected: "" },
    ]);
    expect((await create({ csv: "order\nOne lamp" })).rows).toEqual([{ input: { order: "One lamp" } }]);
  });

  test.each([
    ["", "must have a line with the names of the columns"],
    ["order,\na,b", "has a column without a name in line 1"],
    ["order,order\na,b", "has two columns with the name order in line 1"],
    ["order,expected\na,b\nc\n", "has another number of columns in line 3 than in the first line"],
    ['order,expected\na,b\n"c,d\n', "has a quotation mark without an end after line 2"],
    ['order,expected\r\n"a\r\nb",c\r\nd\r\n', "has another number of columns in line 4 than in the first line"],
    [
      'order,expected\na,b\nc"d,e\n',
      "has a quotation mark in the middle of a value in line 3. Double it, and put the value in quotation marks",
    ],
    [
      'order,expected\n"a"b,c\n',
      "has a quotation mark in the middle of a value in line 2. Double it, and put the value in quotation marks",
    ],
  ])("names the line of a CSV that can't be read: %j", async (csv, message) => {
    expect(await faultsOf(csv)).toEqual(invalid(["csv", message]));
  });

  test("refuses more than 1,000 rows, 50 inputs or 250,000 characters, and long names and values", async () => {
    const row = (value: string) => ({ input: { order: value } });
    const names = Array.from({ length: 51 }, (_, index) => `c${index}`).join(",");
    expect(await faultsOf(`order\n${"a\n".repeat(1_001)}`)).toEqual(invalid(["csv", "must not have more than 1000 rows"]));
    expect(await faultsOf(`${names}\n${names}`)).toEqual(invalid(["csv", "must not have more than 50 columns of inputs"]));
    expect(await faultsOf(`${"x".repeat(101)}\na`)).toEqual(invalid(["csv", "must not have a name longer than 100 characters"]));
    expect(await faultsOf(`order\na\n${"x".repeat(20_001)}`)).toEqual(
      invalid(["csv", "must not have a value longer than 20000 characters. Row 2 has one"]),
    );
    const rows = Array.from({ length: 13 }, () => row("x".repeat(20_000)));
    expect(await refusal(create({ rows }))).toEqual(invalid(["rows", "makes the rows longer than 250000 characters of JSON together"]));
    expect(await refusal(create({ rows: Array.from({ length: 1_001 }, () => row("a")) }))).toEqual(
      invalid(["rows", "must NOT have more than 1000 items"]),
    );
  });

  test("refuses rows and CSV together", async () => {
    expect(await refusal(create({ rows: [], csv: "order\na" }))).toEqual(invalid(["csv", "must be left out with rows"]));
  });
});

describe("patchPromptDataset", () => {
  test("replaces all rows, or none", async () => {
    const { id } = await create({ csv: "order\na\nb" });
    const { data } = await server.client.patchPromptDataset({ path: { id }, body: { description: "Orders." } });
    expect([data.rows.length, data.description]).toEqual([2, "Orders."]);
    expect((await server.client.patchPromptDataset({ path: { id }, body: { csv: "order\nc" } })).data.rows).toEqual([
      { input: { order: "c" } },
    ]);
  });
});

describe("deletePromptDataset", () => {
  test("refuses to delete a dataset that a prompt uses, unless it is forced", async () => {
    const { id } = await create({});
    const evaluation = { datasetID: id, graders: [{ name: "Same", type: "equals" as const }] };
    await server.client.createPrompt({ body: { name: "With dataset", evaluation } });
    expect(await refusal(server.client.deletePromptDataset({ path: { id } }))).toMatchObject({ status: 409 });
    await server.client.deletePromptDataset({ path: { id }, query: { forceArchive: true } });
    expect(await refusal(server.client.getPromptDataset({ path: { id } }))).toMatchObject({ status: 404 });
    await server.client.restorePromptDatasetVersion({ path: { id, version: 1 } });
    expect((await server.client.getPromptDataset({ path: { id } })).data.version).toBe(3);
  });
});

test("A configuration has datasets with their rows, and none with CSV", async () => {
  const rows = [{ input: { order: "a" }, expected: "A" }];
  const dataset = { id: "configured_rows", name: "Configured rows", rows };
  const apply = (one: object) => server.client.applyProject({ body: { configuration: { promptDatasets: [one as never] } } });
  await apply(dataset);
  expect((await server.client.getPromptDataset({ path: { id: dataset.id } })).data.rows).toEqual(rows);
  expect((await apply(dataset)).data).toEqual([]);
  const { data } = await server.client.exportProject({ query: { kinds: ["promptDatasets"], ids: [dataset.id] } });
  expect(data.promptDatasets).toEqual([{ ...dataset, description: "" }]);
  expect((await refusal(apply({ id: "of_csv", name: "Of CSV", csv: "order\na" }))).status).toBe(400);
});
