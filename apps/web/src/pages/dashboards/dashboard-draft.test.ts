import { expect, test } from "vitest";
import { type Dashboard, type DashboardDraft, dashboardModel, toWriteRequests } from "./dashboard-draft.ts";
import { describeWidget, missingIn, toWidget, type Widget } from "./widgets.ts";

const METRIC: Widget = { type: "metric", metricID: "Orders::sum", days: 7, compare: true };
const NOTE: Widget = { type: "text", text: "Read this.", title: "Note", width: "full" };
const DASHBOARD = {
  id: "shop",
  name: "Shop",
  description: "",
  widgets: [METRIC, NOTE],
  tags: [],
  team: null,
  teamID: null,
} as unknown as Dashboard;

const draftWith = (widgets: readonly Widget[]): DashboardDraft => {
  const stored = { entity: DASHBOARD, etag: '"1"' };
  return { stored, fields: { ...dashboardModel.storedParts(stored), widgets } };
};

test("a draft writes all widgets once one of them moves, and nothing as long as none does", () => {
  expect(toWriteRequests(draftWith([METRIC, NOTE]))).toEqual([]);
  expect(toWriteRequests(draftWith([NOTE, METRIC]))).toEqual([
    { operationId: "patchDashboard", path: { id: "shop" }, body: { widgets: [NOTE, METRIC] }, ifMatch: '"1"' },
  ]);
});

test("a widget keeps only the fields of its type", () => {
  expect(toWidget({ ...METRIC, type: "experiment", experimentID: "prices", title: " " })).toEqual({
    ...{ type: "experiment", experimentID: "prices", show: "scorecard" },
  });
  expect(toWidget({ type: "metric", metricID: "Orders::sum", compare: false, width: "half" })).toEqual({
    ...{ type: "metric", metricID: "Orders::sum", days: 14 },
  });
});

test("an incomplete widget says what it lacks", () => {
  expect(missingIn({ type: "experiment", metricID: "Orders::sum" })).toBe("Choose an experiment first.");
  expect(missingIn({ type: "text", text: " " })).toBe("Enter some text first.");
  expect(missingIn(METRIC)).toBeUndefined();
});

test("widgets are described with what was chosen", () => {
  expect([METRIC, NOTE].map(describeWidget)).toEqual([
    "metric Orders::sum, 7 days, compared",
    "text “Read this.”, titled “Note”, full width",
  ]);
});
