import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeAlert, makeCheckouts } from "../support/fixture-entities.ts";
import { needs } from "../support/needs.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

type Body = Parameters<TestServer["client"]["createDashboard"]>[0]["body"];
type Widget = NonNullable<Body["widgets"]>[number];

const CHECKOUTS = "Checkouts::event_user";
const NOTE: Widget = { type: "text", title: "This week", text: "Two\nlines", width: "full" };

let server: TestServer;
let count = 0;
let alertID: string;
beforeAll(async () => {
  server = await startServer();
  await makeCheckouts(server.client);
  await server.client.createExperiment({ body: { name: "wording" } });
  alertID = await makeAlert(server, "Many checkouts");
});
afterAll(() => server.close());

const create = async (body: Omit<Body, "name"> = {}) =>
  (await server.client.createDashboard({ body: { name: `Dashboard ${++count}`, ...body } })).data;
const makeMetric = async (name: string) =>
  (await server.client.createMetric({ body: { name, type: "event_user", metricEvents: [{ name: "purchase" }] } })).data.id;
const composed = (): Widget[] => [
  { type: "metric", metricID: CHECKOUTS, days: 90, compare: true },
  { type: "experiment", experimentID: "wording", show: "exposures" },
  { type: "alert", alertID },
  NOTE,
];

describe("createDashboard", () => {
  test("keeps the widgets in their order, with the fields that were given", async () => {
    const { id, widgets, description, version } = await create({ widgets: composed() });
    expect([id, widgets, description, version]).toEqual([`dashboard_${count}`, composed(), "", 1]);
    expect((await server.client.getDashboard({ path: { id } })).data.widgets).toEqual(composed());
  });

  test("names each missing field, and each that the type of its widget doesn't use", async () => {
    const widgets: Widget[] = [
      { type: "metric", experimentID: "wording" },
      { type: "experiment", days: 7, compare: false },
      { type: "alert", show: "scorecard", metricID: CHECKOUTS },
      { type: "text", alertID },
    ];
    expect(await refusal(create({ widgets }))).toEqual(
      invalid(
        ["widgets[0].metricID", "is required for the type metric"],
        ["widgets[0].experimentID", "must be left out for the type metric"],
        ["widgets[1].days", "must be left out for the type experiment"],
        ["widgets[1].compare", "must be left out for the type experiment"],
        ["widgets[1].experimentID", "is required for the type experiment"],
        ["widgets[2].metricID", "must be left out for the type alert"],
        ["widgets[2].show", "must be left out for the type alert"],
        ["widgets[2].alertID", "is required for the type alert"],
        ["widgets[3].alertID", "must be left out for the type text"],
        ["widgets[3].text", "is required for the type text"],
      ),
    );
  });

  test.each<[string, Widget[]]>([
    ["widgets", Array.from({ length: 25 }, () => NOTE)],
    ["widgets[0].days", [{ type: "metric", metricID: CHECKOUTS, days: 91 }]],
    ["widgets[0].text", [{ type: "text", text: "x".repeat(2_001) }]],
    ["widgets[0].title", [{ type: "text", text: "x", title: "x".repeat(101) }]],
    ["widgets[0].metricID", [{ type: "metric", metricID: "x".repeat(251) }]],
  ])("refuses what is larger than its bound, at %s", async (property, widgets) => {
    expect((await refusal(create({ widgets }))).errors).toMatchObject([{ property }]);
  });

  test("keeps 24 widgets", async () => {
    expect((await create({ widgets: Array.from({ length: 24 }, () => NOTE) })).widgets).toHaveLength(24);
  });

  test("shows automatic metrics", async () => {
    await server.evaluation.logEvent({ body: { events: [{ eventName: "purchase", user: { userID: "ana" } }] } });
    const widgets: Widget[] = [{ type: "metric", metricID: "purchase::event_count" }];
    expect((await create({ widgets })).widgets).toEqual(widgets);
  });
});

describe("references", () => {
  test("refuses widgets of metrics, experiments and alerts that do not exist, each at its place", async () => {
    const missing: Widget[] = [NOTE, { type: "metric", metricID: "Nothing::sum" }];
    expect(await refusal(create({ widgets: missing }))).toEqual(
      invalid(["widgets[1].metricID", "references metric Nothing::sum, which does not exist"]),
    );
    expect(
      await refusal(
        create({
          widgets: [
            { type: "experiment", experimentID: "none" },
            { type: "alert", alertID: "none" },
          ],
        }),
      ),
    ).toEqual(
      invalid(
        ["widgets[0].experimentID", "references experiment none, which does not exist"],
        ["widgets[1].alertID", "references alert none, which does not exist"],
      ),
    );
  });

  test("keeps what a dashboard shows from being deleted, unless it is forced", async () => {
    const metricID = await makeMetric("Kept metric");
    const { id: experimentID } = (await server.client.createExperiment({ body: { name: "kept experiment" } })).data;
    const kept = await makeAlert(server, "Kept alert");
    const widgets: Widget[] = [
      { type: "metric", metricID },
      { type: "experiment", experimentID },
      { type: "alert", alertID: kept },
    ];
    const { id } = await create({ widgets });
    const listed = await server.client.listReferences({ query: { type: "metric", id: metricID } });
    expect(listed.data).toEqual([{ type: "dashboard", id, name: `Dashboard ${count}`, places: ["widgets[0].metricID"] }]);
    const deletions = [
      (query?: { forceArchive: boolean }) => server.client.deleteMetric({ path: { id: metricID }, query }),
      (query?: { forceArchive: boolean }) => server.client.deleteExperiment({ path: { id: experimentID }, query }),
      (query?: { forceArchive: boolean }) => server.client.deleteAlert({ path: { id: kept }, query }),
    ];
    for (const remove of deletions) {
      expect((await refusal(remove())).message).toMatch(`cannot be deleted: it is referenced by dashboard ${id}. Use forceArchive`);
      await remove({ forceArchive: true });
    }
    // The widgets stay, and the dashboard can still be changed around them.
    const { data } = await server.client.patchDashboard({ path: { id }, body: { widgets: [NOTE, ...widgets] } });
    expect(data.widgets).toEqual([NOTE, ...widgets]);
    await server.client.patchDashboard({ path: { id }, body: { widgets: [] } });
    expect(await refusal(server.client.restoreDashboardVersion({ path: { id, version: 1 } }))).toEqual(
      invalid(["widgets[0].metricID", `references metric ${metricID}, which does not exist`]),
    );
  });

  test("never deletes a metric during a concurrent write that shows it", needs.postgres, async () => {
    for (let round = 0; round < 10; round++) {
      const metricID = await makeMetric(`Raced ${round}`);
      const [made, deleted] = await Promise.allSettled([
        create({ widgets: [{ type: "metric", metricID }] }),
        server.client.deleteMetric({ path: { id: metricID } }),
      ]);
      expect([made.status, deleted.status].toSorted()).toEqual(["fulfilled", "rejected"]);
    }
  });
});

test("is exported, and the export changes nothing where it is applied again", async () => {
  const { name, id } = await create({ widgets: composed(), description: "Weekly.", tags: ["checkout"] });
  const { data } = await server.client.exportProject({ query: { kinds: ["dashboards"], ids: [name] } });
  expect(data.dashboards).toEqual([{ name, description: "Weekly.", widgets: composed(), tags: ["checkout"] }]);
  const apply = () => server.client.applyProject({ body: { configuration: data } });
  expect((await apply()).data).toEqual([]);
  await server.client.deleteDashboard({ path: { id } });
  expect((await apply()).data).toMatchObject([{ kind: "dashboards", name, action: "create", requests: ["createDashboard"] }]);
});

test("is listed by tag, team and words of the description", async () => {
  const { id } = await create({ tags: ["quarterly"], description: "Zebra crossings" });
  for (const query of [{ tags: ["quarterly"] }, { search: "zebra" }]) {
    expect((await server.client.listDashboards({ query })).data.map((one) => one.id)).toEqual([id]);
  }
});
