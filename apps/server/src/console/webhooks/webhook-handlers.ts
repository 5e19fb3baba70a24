import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { AnalysisEnv } from "../stores.ts";
import { changeWebhook, newWebhook } from "./webhook.ts";

export const webhookHandlers = {
  listWebhookVersions: listVersions("listWebhookVersions", "Webhook", (stores) => stores.webhooks),
  restoreWebhookVersion: restoreVersion("Webhook", (stores) => stores.webhooks),

  async listWebhooks({ query, stores }) {
    const { data, total } = await stores.webhooks.list(toWindow(query));
    const pagination = paginate("/console/v1/webhooks", query, total);
    return { status: 200, body: { message: "Webhooks listed successfully.", data, pagination } };
  },

  async createWebhook({ body, context, stores }) {
    const data = await stores.webhooks.create(newWebhook(body, context));
    return { status: 200, body: { message: "Webhook created successfully.", data } };
  },

  async getWebhook({ path, stores }) {
    const data = await stores.webhooks.get(path.id);
    return { status: 200, body: { message: "Webhook read successfully.", data } };
  },

  async patchWebhook({ path, body, context, stores }) {
    const webhook = await stores.webhooks.get(path.id);
    const data = await stores.webhooks.replace(webhook, changeWebhook(webhook, body, context));
    return { status: 200, body: { message: "Webhook updated successfully.", data } };
  },

  async deleteWebhook({ path, stores }) {
    await stores.webhooks.delete(await stores.webhooks.get(path.id));
    return { status: 200, body: { message: "Webhook deleted successfully." } };
  },

  async getWebhookSecret({ path, stores }) {
    const secret = stores.webhooks.secret(await stores.webhooks.get(path.id));
    return { status: 200, body: { message: "Secret read successfully.", data: { secret } } };
  },

  async testWebhook({ path, stores, limited }) {
    const webhook = await stores.webhooks.get(path.id);
    const { answer, reason } = await limited(() => stores.webhooks.test(webhook));
    const outcome = { responseStatus: answer?.status ?? null, responseBody: answer?.body ?? null, reason };
    return { status: 200, body: { message: "Webhook tested successfully.", data: { isDelivered: reason === null, ...outcome } } };
  },

  async listWebhookDeliveries({ path, query, stores }) {
    const webhook = await stores.webhooks.get(path.id);
    const { data, total } = await stores.webhooks.listDeliveries(webhook, pickFilters(query), toWindow(query));
    const pagination = paginate(`/console/v1/webhooks/${encodeURIComponent(path.id)}/deliveries`, query, total);
    return { status: 200, body: { message: "Webhook deliveries listed successfully.", data, pagination } };
  },

  async redeliverWebhookEvent({ path, stores }) {
    await stores.webhooks.redeliver(await stores.webhooks.get(path.id), path.deliveryID);
    return { status: 200, body: { message: "Webhook event queued successfully." } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;
