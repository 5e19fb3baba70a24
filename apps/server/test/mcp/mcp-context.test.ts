import { descriptions } from "@gatehouse/contract/console";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prompts } from "../../src/http/console/mcp/prompts.ts";
import { staleGates } from "../../src/jobs/stale-gates.ts";
import { readPages } from "../support/documentation.ts";
import { connectClient } from "../support/mcp.ts";
import { startServer, type TestServer } from "../support/server.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

type Connected = Awaited<ReturnType<typeof connectClient>>;

let server: TestServer;
let [connected]: Connected[] = [];
beforeAll(async () => {
  server = await startServer();
  connected = await connectClient(server);
  await server.client.createGate({ body: { name: "new checkout", rules: [] } });
});
afterAll(() => server.close());

const client = () => (connected as Connected).client;
const call = (name: string, args: Record<string, unknown>) => (connected as Connected).call(name, args);

test("resources are the pages of the documentation, and templates of the types of entities", async () => {
  const { resources } = await client().listResources();
  const pages = [...readPages().keys()].filter((page) => !/^(decisions|index)/.test(page));
  expect(resources.map(({ uri }) => uri).sort()).toEqual(pages.map((page) => `gatehouse://docs/${page.replace(/\.md$/, "")}`).sort());
  const { contents } = await client().readResource({ uri: "gatehouse://docs/use/rollouts" });
  expect(contents).toMatchObject([{ mimeType: "text/markdown", text: expect.stringContaining("# Rollouts") }]);
  const { resourceTemplates } = await client().listResourceTemplates();
  const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate);
  expect(templates).toEqual(
    expect.arrayContaining(["gatehouse://gates/{id}", "gatehouse://members/{email}", "gatehouse://param_stores/{name}"]),
  );
});

test("an entity is a resource, whose id can be completed", async () => {
  const uri = "gatehouse://gates/new_checkout";
  const { contents } = await client().readResource({ uri });
  expect(JSON.parse((contents as { text: string }[]).map(({ text }) => text).join()).data.name).toBe("new checkout");
  const ref = { type: "ref/resource", uri: "gatehouse://gates/{id}" } as const;
  const { completion } = await client().complete({ ref, argument: { name: "id", value: "check" } });
  expect(completion.values).toEqual(["new_checkout"]);
  await expect(client().readResource({ uri: "gatehouse://gates/absent" })).rejects.toThrow("Gate absent does not exist.");
  await expect(client().readResource({ uri: "gatehouse://cakes/1" })).rejects.toThrow("The resource gatehouse://cakes/1 does not exist.");
});

test("the documentation can be searched and read by tools", async () => {
  const { body } = await call("search_docs", { query: "sequential testing p-values", limit: 3 });
  expect(body.pages.map(({ path }: { path: string }) => path)).toContain("reference/statistics");
  expect((await call("read_docs", { path: "use/reviews" })).text).toContain("# Reviews");
  expect((await call("read_docs", { path: "../package" })).isError).toBe(true);
});

test("prompts name tools, operations and pages that exist, and complete the entities that they are about", async () => {
  const listed = (await client().listPrompts()).prompts;
  expect(listed.map(({ name }) => name)).toEqual(["clean_up_stale_gates", "review_experiment", "prepare_rollout"]);
  const tools = (await client().listTools()).tools.map(({ name }) => name);
  const operations = Object.keys(descriptions);
  const text = prompts.map((prompt) => prompt.write({ gate: "g", experiment: "e" })).join("\n");
  for (const [word] of text.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)) expect(tools).toContain(word);
  for (const [word] of text.matchAll(/\b(?:list|make|archive|patch)[A-Z]\w+/g)) expect(operations).toContain(word);
  for (const [, page] of text.matchAll(/read_docs with ([\w/]+)/g)) expect([...readPages().keys()]).toContain(`${page}.md`);
  const { messages } = await client().getPrompt({ name: "prepare_rollout", arguments: { gate: "new_checkout" } });
  expect(JSON.stringify(messages)).toContain("Prepare the rollout of the gate new_checkout in production");
  await expect(client().getPrompt({ name: "prepare_rollout" })).rejects.toThrow("The prompt prepare_rollout needs the argument gate.");
  const argument = { name: "gate", value: "check" };
  const { completion } = await client().complete({ ref: { type: "ref/prompt", name: "prepare_rollout" }, argument });
  expect(completion.values).toEqual(["new_checkout"]);
});

test("stale gates come with the code that uses them", async () => {
  const references = [{ entityType: "gate" as const, entityID: "new_checkout", file: "src/checkout.ts", line: 3 }];
  await server.client.updateCodeReferences({ body: { repository: "shop", branch: "main", references } });
  server.clock.now += 40 * DAY_MS;
  await staleGates.run({ database: server.database, log: server.log, now: () => server.clock.now });
  const { body } = await call("list_stale_gates", {});
  const used = [expect.objectContaining({ repository: "shop", file: "src/checkout.ts", line: 3 })];
  expect(body.gates).toEqual([
    expect.objectContaining({ id: "new_checkout", typeReason: "STALE_PROBABLY_DEAD_CHECK", codeReferences: used }),
  ]);
});

test("results of an experiment compare its groups with its control", async () => {
  const groups = [
    { id: "control", name: "Control", size: 50 },
    { id: "test", name: "Test", size: 50 },
  ];
  const { data } = await server.client.createExperiment({ body: { name: "colors", groups, controlGroupID: "control" } as never });
  const { body } = await call("get_experiment_results", { id: data.id });
  expect(body.comparisons.map(({ control, test }: Record<string, string>) => [control, test])).toEqual([["control", "test"]]);
});
