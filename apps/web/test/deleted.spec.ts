import type { ConsoleClient } from "@gatehouse/client";
import { expectAccessible } from "./support/accessibility.ts";
import { newGate, rule } from "./support/gates.ts";
import { newProject, signedInAs, unique } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

type Kind = {
  noun: string;
  path: string;
  /** Creates one and deletes it. @returns its id and name */
  makeDeleted: (api: ConsoleClient) => Promise<{ id: string; name: string }>;
  exists: (api: ConsoleClient, id: string) => Promise<unknown>;
};

const SOURCE = { sourceType: "query", sql: "select 1", timestampColumn: "at", idTypeMapping: [{ statsigUnitID: "userID", column: "id" }] };

const KINDS: Kind[] = [
  {
    noun: "gate",
    path: "gates",
    async makeDeleted(api) {
      const { id, name } = await newGate(api);
      await api.deleteGate({ path: { id } });
      return { id, name };
    },
    exists: (api, id) => api.getGate({ path: { id } }),
  },
  {
    noun: "dynamic config",
    path: "dynamic-configs",
    async makeDeleted(api) {
      const { id, name } = (await api.createDynamicConfig({ body: { name: unique("config") } })).data;
      await api.deleteDynamicConfig({ path: { id } });
      return { id, name };
    },
    exists: (api, id) => api.getDynamicConfig({ path: { id } }),
  },
  {
    noun: "experiment",
    path: "experiments",
    async makeDeleted(api) {
      const { id, name } = (await api.createExperiment({ body: { name: unique("experiment") } })).data;
      await api.deleteExperiment({ path: { id } });
      return { id, name };
    },
    exists: (api, id) => api.getExperiment({ path: { id } }),
  },
  {
    noun: "layer",
    path: "layers",
    async makeDeleted(api) {
      const { id, name } = (await api.createLayer({ body: { name: unique("layer"), idType: "userID" } })).data;
      await api.deleteLayer({ path: { id } });
      return { id, name };
    },
    exists: (api, id) => api.getLayer({ path: { id } }),
  },
  {
    noun: "holdout",
    path: "holdouts",
    async makeDeleted(api) {
      const { id, name } = (await api.createHoldout({ body: { name: unique("holdout") } })).data;
      await api.deleteHoldout({ path: { id } });
      return { id, name };
    },
    exists: (api, id) => api.getHoldout({ path: { id } }),
  },
  {
    noun: "segment",
    path: "segments",
    async makeDeleted(api) {
      const { id, name } = (await api.createSegment({ body: { name: unique("segment"), type: "id_list" } })).data;
      await api.deleteSegment({ path: { id } });
      return { id, name };
    },
    exists: (api, id) => api.getSegment({ path: { id } }),
  },
  {
    noun: "param store",
    path: "param-stores",
    async makeDeleted(api) {
      const { name } = (await api.createParamStore({ body: { name: unique("store") } })).data;
      await api.deleteParamStore({ path: { name } });
      return { id: name, name };
    },
    exists: (api, name) => api.getParamStore({ path: { name } }),
  },
  {
    noun: "metric",
    path: "metrics",
    async makeDeleted(api) {
      const body = { name: unique("metric"), type: "event_user" as const, metricEvents: [{ name: "bought" }] };
      const { id, name } = (await api.createMetric({ body })).data;
      await api.deleteMetric({ path: { id } });
      return { id, name };
    },
    exists: (api, id) => api.getMetric({ path: { id } }),
  },
  {
    noun: "metric source",
    path: "metric-sources",
    async makeDeleted(api) {
      const { name } = (await api.createMetricSource({ body: { name: unique("source"), description: "", tags: [], ...SOURCE } as never }))
        .data;
      await api.deleteMetricSource({ path: { name } });
      return { id: name, name };
    },
    exists: (api, name) => api.getMetricSource({ path: { name } }),
  },
  {
    noun: "alert",
    path: "alerts",
    async makeDeleted(api) {
      const watched = { alertType: "threshold", metrics: { A: { id: "missing::sum" } }, condition: "greater", alertThreshold: 1 } as const;
      const body = { name: unique("alert"), ...watched, windowMs: 300_000, priority: "P3" } as const;
      const { id, name = id } = (await api.createAlert({ body })).data;
      await api.deleteAlert({ path: { id } });
      return { id, name };
    },
    exists: (api, id) => api.getAlert({ path: { id } }),
  },
  {
    noun: "assignment source",
    path: "assignment-sources",
    async makeDeleted(api) {
      const { sourceType: _, ...source } = SOURCE;
      const body = { name: unique("source"), ...source, experimentIDColumn: "experiment", groupIDColumn: "variant" };
      const { name } = (await api.createAssignmentSource({ body })).data;
      await api.deleteAssignmentSource({ path: { name } });
      return { id: name, name };
    },
    exists: (api, name) => api.getAssignmentSource({ path: { name } }),
  },
  {
    noun: "entity property source",
    path: "entity-properties",
    async makeDeleted(api) {
      const { sourceType: _, ...source } = SOURCE;
      const { name } = (await api.createEntityPropertySource({ body: { name: unique("source"), ...source } })).data;
      await api.deleteEntityPropertySource({ path: { name } });
      return { id: name, name };
    },
    exists: (api, name) => api.getEntityPropertySource({ path: { name } }),
  },
  {
    noun: "qualifying event",
    path: "qualifying-events",
    async makeDeleted(api) {
      const { sourceType: _, ...source } = SOURCE;
      const { name } = (await api.createQualifyingEvent({ body: { name: unique("event"), ...source } })).data;
      await api.deleteQualifyingEvent({ path: { name } });
      return { id: name, name };
    },
    exists: (api, name) => api.getQualifyingEvent({ path: { name } }),
  },
  {
    noun: "ingestion source",
    path: "ingestion-sources",
    async makeDeleted(api) {
      // A source can only be created for the engine of a warehouse, which nobody has to reach.
      await api.updateWarehouseConnection({ body: { postgres: { url: "postgres://reader:secret@127.0.0.1:1/shop" } } });
      const columns = { event_name: "name", timestamp: "at", unit_id: "customer" };
      const body = {
        type: "postgres",
        dataset: "Events",
        source_name: unique("source"),
        query: "select 1",
        column_mapping: columns,
      } as const;
      const { id } = (await api.createIngestionSource({ body })).data;
      await api.deleteIngestionSource({ path: { name: id } });
      await api.deleteWarehouseConnection({});
      return { id, name: id };
    },
    exists: (api, name) => api.getIngestionSource({ path: { name } }),
  },
  {
    noun: "team",
    path: "teams",
    async makeDeleted(api) {
      const { id, name } = (await api.createTeam({ body: { name: unique("team") } })).data;
      await api.deleteTeam({ path: { id } });
      return { id, name };
    },
    exists: (api, id) => api.getTeam({ path: { id } }),
  },
];

for (const { noun, path, makeDeleted, exists } of KINDS) {
  test(`the page of a deleted ${noun} says who deleted it, and brings it back after a review`, async ({ api, page, allowFault }) => {
    allowFault(/^404: GET \/console\/v1\//);
    allowFault(/^console error: ConsoleApiError: get\w+: 404/);
    const { id, name } = await makeDeleted(api);
    await page.goto(`${path}/${id}`);
    await expect(page.getByRole("note")).toContainText(`deleted this ${noun} just now`);
    await expect(page.getByRole("list", { name: "Versions" }).getByRole("link")).toHaveText([/^Version 1/]);
    await page.getByRole("button", { name: "Restore this version" }).click();
    const dialog = page.getByRole("dialog", { name: `Restore version 1 of ${name}` });
    await dialog.getByRole("button", { name: "Restore" }).click();
    await expect(dialog).toBeHidden();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    await expect(page.getByText(`deleted this ${noun}`)).toBeHidden();
    await expect(exists(api, id)).resolves.toBeDefined();
  });
}

test("the history of a deleted gate shows what each version was, and any of them comes back", async ({ api, page, allowFault }) => {
  allowFault(/^404: GET \/console\/v1\/gates\//);
  allowFault(/^console error: ConsoleApiError: get\w+: 404/);
  const gate = await newGate(api, { rules: [rule("Everyone", { passPercentage: 5 })] });
  await api.patchGate({ path: { id: gate.id }, body: { description: "For the spring." } });
  await page.goto(`gates/${gate.id}`);
  await page.getByRole("button", { name: `More for ${gate.name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: /^Delete/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Bring it back" }).click();
  await expect(page.getByRole("note")).toContainText("deleted this gate");
  await expectAccessible(page);
  const versions = page.getByRole("list", { name: "Versions" });
  await expect(versions.getByRole("link")).toHaveText([/^Version 2/, /^Version 1/]);
  await expect(page.getByText("For the spring.")).toBeVisible();
  await versions.getByRole("link", { name: /^Version 1/ }).click();
  await expect(page).toHaveURL(/version=1/);
  await page.getByRole("button", { name: "Restore this version" }).click();
  const dialog = page.getByRole("dialog", { name: `Restore version 1 of ${gate.name}` });
  await dialog.getByRole("button", { name: "Restore" }).click();
  await expect(page.getByRole("tablist", { name: "Parts of the gate" })).toBeVisible();
  const { data } = await api.getGate({ path: { id: gate.id } });
  expect(data).toMatchObject({ description: "", rules: [{ passPercentage: 5 }], version: 4 });
});

test("who may not change gates sees why they cannot bring one back", async ({ api, openBrowser, allowFault, viewer }) => {
  allowFault(/^404: GET \/console\/v1\/gates\//);
  allowFault(/^console error: ConsoleApiError: get\w+: 404/);
  const { id } = await newGate(api);
  await api.deleteGate({ path: { id } });
  const page = await openBrowser(signedInAs(viewer));
  await page.goto(`gates/${id}`);
  const restore = page.getByRole("button", { name: "Restore this version" });
  await expect(restore).toHaveAttribute("aria-disabled", "true");
  await restore.focus();
  await expect(page.getByRole("tooltip")).toContainText("does not let you change, archive or delete them");
});

test("a deleted tag, which has no page, is brought back from the audit log", async ({ page }) => {
  const { projectID, api } = await newProject();
  const { data: tag } = await api.createTag({ body: { name: "mobile" } });
  await api.deleteTag({ path: { id: tag.id } });
  await page.goto(`/projects/${projectID}/audit-log?type=tag`);
  await page.getByRole("button", { name: "Bring it back" }).click();
  await page.getByRole("dialog", { name: "Bring mobile back" }).getByRole("button", { name: "Restore" }).click();
  await expect(page.getByText("mobile exists again")).toBeVisible();
  expect((await api.getTag({ path: { id: tag.id } })).data).toEqual({ ...tag, version: 3, lastModifiedTime: expect.any(Number) });
});
