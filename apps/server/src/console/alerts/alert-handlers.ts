import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restored, restoreVersion } from "../common/version-handlers.ts";
import type { Env } from "../stores.ts";
import { changeAlert, newAlert } from "./alert.ts";

export const alertHandlers = {
  listAlertVersions: listVersions("listAlertVersions", "Alert", (stores) => stores.alerts),
  restoreAlertVersion: restoreVersion("Alert", (stores) => stores.alerts, {
    async write(id, old, { context, stores }) {
      const alert = await stores.alerts.get(id);
      return stores.alerts.withCheck(await stores.alerts.replace(alert, restored(alert, old, context)));
    },
  }),

  async listAlerts({ query, stores }) {
    const { data, total } = await stores.alerts.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/alerts", query, total);
    return { status: 200, body: { message: "Alerts listed successfully.", data, pagination } };
  },

  async createAlert({ body, context, stores }) {
    const data = await stores.alerts.create(newAlert(body, context));
    return { status: 201, body: { message: "Alert created successfully.", data } };
  },

  async getAlert({ path, stores }) {
    const data = await stores.alerts.withCheck(await stores.alerts.get(path.id));
    return { status: 200, body: { message: "Alert read successfully.", data } };
  },

  async patchAlert({ path, body, context, stores }) {
    const alert = await stores.alerts.get(path.id);
    const changed = await stores.alerts.replace(alert, changeAlert(alert, body, context));
    return { status: 200, body: { message: "Alert updated successfully.", data: await stores.alerts.withCheck(changed) } };
  },

  async deleteAlert({ path, query, stores }) {
    await stores.alerts.delete(await stores.alerts.get(path.id), { force: query.forceArchive });
    return { status: 200, body: { message: "Alert deleted successfully." } };
  },

  async resolveAlert({ path, body, context, stores }) {
    await stores.alerts.checks.resolve(await stores.alerts.get(path.id), body?.reasoning ?? null);
    return { status: 200, body: { message: "Alert resolved successfully.", data: { resolvedAt: context.now } } };
  },

  async listAlertEvents({ path, query, stores }) {
    const { id } = await stores.alerts.get(path.id);
    const { data, total } = await stores.alerts.checks.listEvents(id, toWindow(query));
    const pagination = paginate(`/console/v1/alerts/${encodeURIComponent(id)}/events`, query, total);
    return { status: 200, body: { message: "Alert events listed successfully.", data, pagination } };
  },

  async getAlertEvent({ path, stores }) {
    const { id } = await stores.alerts.get(path.id);
    const data = await stores.alerts.checks.getEvent(id, path.eventId);
    return { status: 200, body: { message: "Alert event read successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
