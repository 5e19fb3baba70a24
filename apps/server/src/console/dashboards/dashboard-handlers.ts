import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { Env } from "../stores.ts";
import { changeDashboard, newDashboard } from "./dashboard.ts";

export const dashboardHandlers = {
  listDashboardVersions: listVersions("listDashboardVersions", "Dashboard", (stores) => stores.dashboards),
  restoreDashboardVersion: restoreVersion("Dashboard", (stores) => stores.dashboards),

  async listDashboards({ query, stores }) {
    const { data, total } = await stores.dashboards.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/dashboards", query, total);
    return { status: 200, body: { message: "Dashboards listed successfully.", data, pagination } };
  },

  async createDashboard({ body, context, stores }) {
    const data = await stores.dashboards.create(newDashboard(body, context));
    return { status: 200, body: { message: "Dashboard created successfully.", data } };
  },

  async getDashboard({ path, stores }) {
    const data = await stores.dashboards.get(path.id);
    return { status: 200, body: { message: "Dashboard read successfully.", data } };
  },

  async patchDashboard({ path, body, context, stores }) {
    const dashboard = await stores.dashboards.get(path.id);
    const data = await stores.dashboards.replace(dashboard, changeDashboard(dashboard, body, context));
    return { status: 200, body: { message: "Dashboard updated successfully.", data } };
  },

  async deleteDashboard({ path, stores }) {
    await stores.dashboards.delete(await stores.dashboards.get(path.id));
    return { status: 200, body: { message: "Dashboard deleted successfully." } };
  },
} satisfies Partial<Handlers<operations, Env>>;
