import { reviewAndSave } from "./support/gates.ts";
import { newProject } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

/** It does not have to be reachable. */
const ADDRESS = "reader:secret@127.0.0.1:1/shop";

test("a source of another engine than the warehouse says so, and is used with the new one after a save", async ({ page }) => {
  const { projectID, api } = await newProject();
  await api.updateWarehouseConnection({ body: { postgres: { url: `postgres://${ADDRESS}` } } });
  const columns = { event_name: "name", timestamp: "at", unit_id: "customer" };
  await api.createIngestionSource({
    body: { type: "postgres", dataset: "Events", source_name: "orders", query: "select 1", column_mapping: columns },
  });
  await page.goto(`/projects/${projectID}/ingestion-sources/orders`);
  await expect(page.getByLabel("Time column")).toHaveValue("at");
  await expect(page.getByRole("note")).toHaveCount(0);
  await api.deleteWarehouseConnection({});
  await expect(page.getByRole("note")).toContainText("The project has no warehouse");
  await api.updateWarehouseConnection({ body: { clickhouse: { url: `clickhouse://${ADDRESS}` } } });
  await expect(page.getByRole("note")).toContainText("This source needs Postgres, but your warehouse is ClickHouse");
  await page.getByRole("button", { name: "Use it with ClickHouse" }).click();
  await expect(page.getByRole("note")).toHaveCount(0);
  await reviewAndSave(page);
  expect((await api.getIngestionSource({ path: { name: "orders" } })).data.type).toBe("clickhouse");
});
