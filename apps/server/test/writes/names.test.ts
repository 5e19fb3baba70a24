import { createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeOtherProject } from "../support/other-project.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const NAME = "结账页面：新 👩🏽‍🦰".replaceAll("\u200D", "");

describe("a name", () => {
  test("has any printable characters, is found by them, and comes with its ID to another project", async () => {
    const body = { id: "checkout", name: NAME, idType: "userID" };
    await server.client.createLayer({ body });
    await server.client.createExperiment({ body: { ...body, id: "checkout_test", layerID: "checkout" } });
    await server.client.createHoldout({ body: { ...body, experimentIDs: ["checkout_test"] } });
    await server.client.createPrompt({ body: { id: "checkout", name: NAME } });
    await server.client.createPromptVersion({ path: { id: "checkout" }, body: { name: NAME, prompts: [] } });
    const { data: dashboard } = await server.client.createDashboard({ body: { name: NAME } });
    expect(dashboard.id).toMatch(/^[0-9A-Za-z]{22}$/);
    expect((await server.client.listExperiments({ query: { search: "页面" } })).data.map(({ id }) => id)).toEqual(["checkout_test"]);
    await server.client.patchLayer({ path: { id: "checkout" }, body: { name: "Überraschung!" } });

    const { data: configuration } = await server.client.exportProject({ query: {} });
    const apiKey = await makeOtherProject(server, "named");
    const other = createConsoleClient({ baseUrl: server.url, apiKey, retry: { attempts: 1 } });
    await other.applyProject({ body: { configuration } });
    expect((await other.getLayer({ path: { id: "checkout" } })).data.name).toBe("Überraschung!");
    expect((await other.getPrompt({ path: { id: "checkout" } })).data).toMatchObject({ name: NAME, versions: [{ name: NAME }] });
    expect((await other.applyProject({ body: { configuration } })).data).toEqual([]);
  });

  test("becomes an ID without accents, and needs one beside it if too few letters remain", async () => {
    expect((await server.client.createExperiment({ body: { name: "Café menu (new)" } })).data.id).toBe("cafe_menu_new");
    const { data } = await server.client.restartExperimentAsNew({ path: { id: "cafe_menu_new" }, body: { name: NAME, id: "menu_again" } });
    expect([data.id, data.name]).toEqual(["menu_again", NAME]);
    const errors = [
      { property: "id", errorMessage: "is required, because the name has too few letters from a to z and digits to derive an id" },
    ];
    for (const refused of [
      () => server.client.createExperiment({ body: { name: NAME } }),
      () => server.client.createDynamicConfig({ body: { name: NAME } }),
      () => server.client.createSegment({ body: { name: NAME, type: "id_list" } }),
      () => server.client.createHoldout({ body: { name: NAME } }),
      () => server.client.createPromptDataset({ body: { name: NAME } }),
      () => server.client.restartExperimentAsNew({ path: { id: "cafe_menu_new" }, body: { name: NAME } }),
    ])
      expect(await refusal(refused())).toMatchObject({ status: 400, code: "invalid_request", errors });
  });

  test.each(["   ", "a\u200Bbc", "abc\u202E", "a\nbc"])("is refused as %j, which has characters that nobody sees", async (name) => {
    const errorMessage = "must not be blank, and must not have control characters, invisible characters, or unpaired surrogates";
    expect(await refusal(server.client.createExperiment({ body: { name } }))).toMatchObject({
      status: 400,
      errors: [{ property: "name", errorMessage }],
    });
  });
});
