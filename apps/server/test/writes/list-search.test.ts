import { routes } from "@gatehouse/contract/console";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entitySlices } from "../../src/console/kinds.ts";
import { makeFixture, makeNamed } from "../support/fixtures.ts";
import { operations } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let replica: TestServer;
beforeAll(async () => {
  server = await startServer();
  replica = await server.replica();
});
afterAll(async () => {
  await replica.close();
  await server.close();
});

type Query = NonNullable<NonNullable<Parameters<TestServer["client"]["listGates"]>[0]>["query"]>;

const find = async (query: Query, { client } = server) => {
  const { data, pagination } = await client.listGates({ query });
  expect(pagination.totalItems).toBe(data.length);
  return data.map(({ id }) => id);
};

describe("search", () => {
  beforeAll(async () => {
    const gates = [
      { name: "One-page Checkout", description: "Replaces the Cart." },
      { name: "apples", description: "ÄPFEL für Österreich: 100 % of_all \\ shops" },
      { name: "sisyphos", description: "Σίσυφος" },
      { name: "deseret", description: "𐐀 letter" },
      { name: "dark mode", description: "tabs\tand\nlines" },
    ];
    for (const body of gates) {
      server.clock.now += 1;
      await server.client.createGate({ body });
    }
  });

  test.each([
    ["a part of a word of the name", "eckou", ["one-page_checkout"]],
    ["the id", "page_ch", ["one-page_checkout"]],
    ["the description", "replaces", ["one-page_checkout"]],
    ["words of different fields, in any order", "cart one", ["one-page_checkout"]],
    ["only what has every word", "cart dark", []],
    ["upper and lower case of any script", "äPFEL ÖSTER", ["apples"]],
    ["Greek, with any form of a sigma", "ΣΊΣΥ", ["sisyphos"]],
    ["letters beyond the first 65,536", "𐐨", ["deseret"]],
    ["a word of one letter", "q", []],
    ["a word of two letters", "rk", ["dark_mode"]],
    ["a word of two letters that nothing has", "zq", []],
    ["characters that patterns of SQL have", "of_all 100 %", ["apples"]],
    ["a backslash", "\\", ["apples"]],
    ["an underscore as itself", "of%all", []],
    ["words between any white space", " tabs   lines ", ["dark_mode"]],
    ["nothing across words", "onepage", []],
    ["only adjacent letters, even if each pair occurs somewhere", "chepagecart", []],
    ["entities with a given letter, newest first", "a", ["dark_mode", "apples", "one-page_checkout"]],
  ])("finds %s", async (_, search, ids) => {
    for (const one of [server, replica]) expect(await find({ search }, one)).toEqual(ids);
  });

  test.each([
    ["   ", "must not be blank"],
    ["x".repeat(101), "must NOT have more than 100 characters"],
  ])("%j is refused", async (search, errorMessage) => {
    const { status, body } = await server.send("GET", `/console/v1/gates?search=${encodeURIComponent(search)}`);
    expect([status, body.errors]).toEqual([400, [{ property: "search", errorMessage }]]);
  });

  test("is kept in the links between pages", async () => {
    const { body } = await server.send("GET", "/console/v1/gates?search=a%20a&sort=name&limit=1&page=2");
    expect(body.pagination).toEqual({
      itemsPerPage: 1,
      pageNumber: 2,
      totalItems: 3,
      nextPage: "/console/v1/gates?search=a%20a&sort=name&page=3&limit=1",
      previousPage: "/console/v1/gates?search=a%20a&sort=name&page=1&limit=1",
      all: "/console/v1/gates",
    });
  });

  test("reads what half a surrogate pair stands beside", async () => {
    await server.client.createGate({ body: { name: "broken pair", description: "before \ud800 after" } });
    expect(await find({ search: "after" })).toEqual(["broken_pair"]);
    await server.client.deleteGate({ path: { id: "broken_pair" } });
  });
});

describe("status", () => {
  beforeAll(async () => {
    for (const name of ["status on", "status off", "status launched", "status archived"]) {
      server.clock.now += 1;
      await server.client.createGate({ body: { name, tags: ["status"] } });
    }
    await server.client.disableGate({ path: { id: "status_off" } });
    await server.client.launchGate({ path: { id: "status_launched" } });
    await server.client.archiveGate({ path: { id: "status_archived" }, body: { archiveReason: "tested" } });
  });
  const tags = ["status"];

  test.each<[Query, string[]]>([
    [{ status: ["Disabled"] }, ["status_off"]],
    [{ status: ["In Progress", "Launched"] }, ["status_launched", "status_on"]],
    [{ status: ["Archived", "Disabled"] }, ["status_archived", "status_off"]],
    [{ status: ["Archived"], includeArchived: false }, []],
    [{ sort: "status", includeArchived: true }, ["status_archived", "status_off", "status_on", "status_launched"]],
    [{ sort: "status", order: "desc", includeArchived: true }, ["status_launched", "status_on", "status_off", "status_archived"]],
    [{ status: ["Disabled"], search: "status off" }, ["status_off"]],
    [{ status: ["Launched"], search: "status off" }, []],
  ])("of gates: %j", async (query, ids) => {
    expect(await find({ ...query, tags })).toEqual(ids);
  });

  test("of gates counts again when a status changes", async () => {
    const query: Query = { status: ["Disabled"], tags, limit: 1 };
    const total = async ({ client }: TestServer) => (await client.listGates({ query })).pagination.totalItems;
    expect([await total(server), await total(replica)]).toEqual([1, 1]);
    await server.client.disableGate({ path: { id: "status_on" } });
    expect([await total(server), await total(replica)]).toEqual([2, 2]);
    await server.client.enableGate({ path: { id: "status_on" } });
    expect([await total(server), await total(replica)]).toEqual([1, 1]);
  });

  test("of dynamic configs", async () => {
    const { client } = server;
    for (const name of ["config on", "config off", "config archived"]) {
      server.clock.now += 1;
      await client.createDynamicConfig({ body: { name } });
    }
    await client.disableDynamicConfig({ path: { id: "config_off" } });
    await client.archiveDynamicConfig({ path: { id: "config_archived" }, body: { archiveReason: "tested" } });
    const list = async (query: Parameters<typeof client.listDynamicConfigs>[0]) =>
      (await client.listDynamicConfigs(query)).data.map(({ id }) => id);
    expect(await list({ query: { status: ["Enabled"] } })).toEqual(["config_on"]);
    expect(await list({ query: { status: ["Archived", "Disabled"] } })).toEqual(["config_archived", "config_off"]);
    expect(await list({ query: { includeArchived: true, sort: "status" } })).toEqual(["config_archived", "config_off", "config_on"]);
  });

  test("of keys", async () => {
    const { client } = server;
    const { data: made } = await client.createKey({
      body: { type: "SERVER", description: "Nightly Import", scopes: [], environments: [] },
    });
    const list = async (query: Parameters<typeof client.listKeys>[0]) => (await client.listKeys(query)).data.map(({ id }) => id);
    expect(await list({ query: { search: "nightly" } })).toEqual([made.id]);
    expect(await list({ query: { search: made.key ?? "" } })).toEqual([]);
    expect(await list({ query: { status: ["deactivated"] } })).toEqual([]);
    await client.deactivateKey({ path: { id: made.id } });
    expect(await list({ query: { status: ["deactivated"] } })).toEqual([made.id]);
    expect((await list({ query: { sort: "status" } })).at(-1)).toBe(made.id);
    expect((await list({ query: { status: ["active"] } })).includes(made.id)).toBe(false);
  });
});

test("a description of any length can be stored, found and sorted", async () => {
  const { client } = server;
  // Without repetitions, since the database compresses these.
  const letters = Array.from({ length: 1_000 }, (_, index) => String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000)));
  const description = letters.join("");
  const { data: made } = await client.createKey({ body: { type: "SERVER", description } });
  const { data } = await client.listKeys({ query: { search: letters.slice(-5).join(""), sort: "name" } });
  expect(data.map(({ id }) => id)).toEqual([made.id]);
});

/** The lists that can be searched, with the path that reads one of their entities. */
const searched = entitySlices.flatMap(({ kind, operations: { read } }) => {
  const path = routes[read].path.replace(/\/\{\w+\}$/, "").replace("/users/id", "/users");
  const getAt = (at: string) => operations.find((one) => one.method === "GET" && one.path === at);
  const list = getAt(`${path}/list`) ?? getAt(path) ?? getAt(`${path}s`) ?? getAt(path.replace(/y$/, "ies"));
  const hasSearch = list?.parameters.some(({ name }) => name === "search") ?? false;
  return [{ title: list?.operationId ?? kind.type, kind, list, hasSearch, read: routes[read].path }];
});

test("every list of entities can be searched except attributes, members, releases, notes on results, reviews, roles, projects, scheduled changes and webhooks; some kinds have no list", () => {
  expect(searched.filter(({ hasSearch }) => !hasSearch).map(({ kind }) => kind.type)).toEqual([
    "attribute",
    "comment",
    "environment_set",
    "ingestion_schedule",
    "member",
    "model_endpoint",
    "project",
    "release",
    "result_note",
    "review",
    "role",
    "scheduled_change",
    "settings",
    "warehouse_connection",
    "webhook",
  ]);
});

describe.each(searched.filter(({ hasSearch }) => hasSearch).map((one) => [one.title, one] as const))("%s", (_, { list, kind, read }) => {
  let ids: string[];
  beforeAll(async () => {
    if (kind.type === "gate") await makeNamed(server);
    ids = [];
    for (const name of ["Zzzz sorted", "mm Sorted", "Aa sorted"]) {
      server.clock.now += 1;
      const made = await makeFixture(server, read, `${name} ${kind.type}`);
      ids.push(Object.values(made?.key ?? {})[0] ?? "");
    }
  });
  const readIDs = async (query: string) => {
    const { body, status } = await server.send("GET", `${list?.path}?${query}`);
    expect(status).toBe(200);
    return body.data.map((one: any) => one.id ?? one.name).filter((id: string) => ids.includes(id));
  };

  test("searches, and sorts by name and times in both orders", async () => {
    const [oldest, between, newest] = ids;
    expect(await readIDs("limit=1000")).toEqual([newest, between, oldest]);
    expect(await readIDs("sort=createdTime")).toEqual([newest, between, oldest]);
    expect(await readIDs("order=asc")).toEqual([oldest, between, newest]);
    expect(await readIDs("sort=lastModifiedTime")).toEqual([newest, between, oldest]);
    expect(await readIDs("sort=lastModifiedTime&order=asc")).toEqual([oldest, between, newest]);
    if (!["key", "person"].includes(kind.type)) {
      expect(await readIDs("sort=name")).toEqual([newest, between, oldest]);
      expect(await readIDs("sort=name&order=desc")).toEqual([oldest, between, newest]);
      expect(await readIDs(`search=${encodeURIComponent(`SORTED ZZZZ ${kind.type}`)}`)).toEqual([oldest]);
    }
    expect(await readIDs(`search=${encodeURIComponent(oldest ?? "")}`)).toEqual([oldest]);
  });

  test("refuses an unknown sort and order", async () => {
    const { status, body } = await server.send("GET", `${list?.path}?sort=size&order=up`);
    expect([status, body.errors.map(({ property }: any) => property).sort()]).toEqual([400, ["order", "sort"]]);
  });
});

test("people are found by their email addresses", async () => {
  const { parameters } = (await makeFixture(server, "/console/v1/people/{id}", "Found By Mail")) ?? {};
  const person = (await server.send("GET", `/console/v1/people/${parameters?.id}`)).body.data;
  const { body } = await server.send("GET", `/console/v1/people?search=${encodeURIComponent(person.email.toUpperCase())}`);
  expect(body.data).toEqual([person]);
});
