import { createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { reviewing, reviewOf } from "../support/reviewing.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const clientOf = (apiKey: string) => createConsoleClient({ baseUrl: server.url, apiKey, retry: { attempts: 1 } });
const newProject = async (name: string) => clientOf(await makeOtherProject(server, name));
type Client = Awaited<ReturnType<typeof newProject>>;
const apply = (client: Client, configuration: object) => client.applyProject({ body: { configuration } });
const exported = async (client: Client) => (await client.exportProject({ query: { kinds: ["settings"] } })).data.settings?.[0];

const DEFAULTS = {
  ...{ visibility: "OPEN", default_unit_type: "userID", timeZone: "UTC", default_project_role: "Member" },
  ...{ require_teams_on_configs: false, require_owners_on_configs: false },
  ...{ is_config_review_required: false, is_metric_review_required: false, is_metric_review_required_on_verified_only: false },
  ...{ is_whn_analysis_only_review_required: false, is_whn_source_review_required: false },
};

describe("the settings in a configuration", () => {
  test("are there before anyone changed them, without the name of the project", async () => {
    const client = await newProject("untouched");
    expect(await exported(client)).toEqual(DEFAULTS);
    expect((await apply(client, { settings: [DEFAULTS] })).data).toEqual([]);
    expect((await client.getSettings()).data.version).toBe(0);
  });

  test("are changed last, with one operation for each changed part", async () => {
    const client = await newProject("settled");
    const settings = { timeZone: "Europe/Berlin", default_unit_type: "storeID", require_owners_on_configs: true };
    const { data } = await apply(client, {
      settings: [settings],
      unitIDTypes: [{ name: "storeID", description: "" }],
      gates: [{ id: "without_owner", name: "without_owner" }],
    });
    expect(data.map(({ kind, id, requests }) => [kind, id, requests])).toEqual([
      ["unitIDTypes", "storeID", ["createUnitIDType"]],
      ["gates", "without_owner", ["createGate"]],
      ["settings", "settings", ["updateProjectSettings", "updateTeamSettings"]],
    ]);
    expect((await client.getGate({ path: { id: "without_owner" } })).data.owner).toBeUndefined();
    expect(await exported(client)).toEqual({ ...DEFAULTS, ...settings });
    expect((await client.getSettings()).data).toMatchObject({ name: "settled", version: 2 });
    expect((await apply(client, { settings: [{ timeZone: "Europe/Berlin" }] })).data).toEqual([]);
  });

  test("show only what differs from the defaults in their first plan", async () => {
    const client = await newProject("planned");
    const body = { configuration: { settings: [{ ...DEFAULTS, timeZone: "Europe/Berlin" }] } };
    const { data, changes } = await client.applyProject({ body, query: { dryRun: true } });
    expect(data.map(({ action, requests }) => [action, requests])).toEqual([["update", ["updateProjectSettings"]]]);
    expect(changes?.map(({ fields }) => fields)).toEqual([[{ field: "timeZone", before: "UTC", after: "Europe/Berlin" }]]);
  });

  test.each([
    ["were never written", async () => undefined],
    ["were written before", async (client: Client) => void (await apply(client, { settings: [{ is_metric_review_required: true }] }))],
  ])("keep a name that the project gets before they are applied, if they %s", async (_, prepare) => {
    const client = await newProject(`before ${_}`);
    await prepare(client);
    const body = { configuration: { settings: [{ timeZone: "Europe/Berlin" }] } };
    const { data: change } = await client.schedule.applyProject({ body, query: { applyAt: server.clock.now + 1000 } });
    await client.updateProjectSettings({ body: { name: `after ${_}`, visibility: "CLOSED" } });
    server.clock.now += 1000;
    await server.applyDue();
    expect((await client.getScheduledChange({ path: { id: change.id } })).data.error).toBeNull();
    expect((await client.getSettings()).data).toMatchObject({ name: `after ${_}`, visibility: "CLOSED", timeZone: "Europe/Berlin" });
  });

  test("that someone else changed since they were scheduled fail with the settings that differ", async () => {
    const client = await newProject("moved");
    await apply(client, { settings: [{ timeZone: "Europe/Paris" }] });
    const body = { configuration: { settings: [{ timeZone: "Europe/Berlin" }] } };
    const { data: change } = await client.schedule.applyProject({ body, query: { applyAt: server.clock.now + 1000 } });
    await apply(client, { settings: [{ timeZone: "Europe/Rome" }] });
    server.clock.now += 1000;
    await server.applyDue();
    expect((await client.getScheduledChange({ path: { id: change.id } })).data.error?.message).toBe(
      "The change would no longer have the effect that was scheduled: the project settings are at version 2, not 1. " +
        'Differences: timeZone was "Europe/Paris" and is now "Europe/Rome". If it is still needed, schedule it again.',
    );
  });

  test.each<[string, object[], string, string]>([
    ["its name", [{ name: "Other" }], "[0].name", "cannot be in files, because it is the name of one project"],
    ["its webhook", [{ change_validation_url: "https://x.example" }], "[0].change_validation_url", "cannot be in files, because the URL"],
    ["an unknown one", [{ colour: 1 }], "[0].colour", "is not a project setting"],
    ["a wrong value", [{ timeZone: "Mars" }], "[0].timeZone", "must be the name of a time zone"],
    ["a missing role", [{ default_project_role: "Nobody" }], "[0].default_project_role", "references role Nobody"],
    ["two of them", [DEFAULTS, DEFAULTS], "", "must NOT have more than 1 items"],
  ])("are refused with %s", async (_, settings, place, message) => {
    expect((await refusal(apply(server.client as Client, { settings }))).errors).toEqual([
      { property: `configuration.settings${place}`, errorMessage: expect.stringContaining(message) },
    ]);
  });

  test("turn off reviews only with a review, and what comes with them waits too", async () => {
    const reviews = reviewing(() => server);
    const [author, reviewer] = [await reviews.colleague("Admin"), await reviews.colleague()];
    await apply(server.client as Client, { settings: [{ is_config_review_required: true }] });
    const rules = [{ name: "All", passPercentage: 100, conditions: [] }];
    const configuration = { settings: [{ is_config_review_required: false }], gates: [{ id: "reviewed", name: "reviewed", rules }] };
    const review = await reviewOf(author.client.applyProject({ body: { configuration } }));
    expect(review.requirements.map(({ kind, name }) => [kind, name])).toEqual([
      ["PROJECT", "is_config_review_required"],
      ["SAFEGUARD", "is_config_review_required"],
    ]);
    expect((await server.client.getSettings()).data.is_config_review_required).toBe(true);
    await reviewer.client.approveReview({ path: { id: review.id } });
    await author.client.commitReview({ path: { id: review.id } });
    expect((await server.client.getSettings()).data.is_config_review_required).toBe(false);
  });

  test("turn off reviews without a review if the key has the scope bypass_reviews", async () => {
    const on = { settings: [{ is_config_review_required: true }] };
    await apply(server.client as Client, on);
    const [plain, bypassing] = await Promise.all(
      [[], ["bypass_reviews" as const]].map(
        async (more) => (await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write", ...more] })).key,
      ),
    );
    const off = { settings: [{ is_config_review_required: false }] };
    expect((await reviewOf(apply(clientOf(plain as string), off))).requirements.map(({ kind }) => kind)).toEqual(["SAFEGUARD"]);
    await apply(clientOf(bypassing as string), off);
    expect((await server.client.getSettings()).data.is_config_review_required).toBe(false);
  });
});
