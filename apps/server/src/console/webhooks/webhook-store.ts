import { conflict, invalid, notFound } from "../../common/errors.ts";
import { lock } from "../../store/database/locks.ts";
import { entityStore, type WriteOptions } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import { EVERYWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import { createDeliveryStore, type Delivery, type DeliveryFilter, readEvents } from "./delivery-store.ts";
import type { Webhook } from "./webhook.ts";
import { toBody, toTest } from "./webhook-event.ts";

export const webhookKind: EntityKind<"webhook", Webhook> = {
  table: "webhook",
  type: "webhook",
  getID: (webhook) => webhook.id,
  references: null,
  columns: {},
  listing: null,
  named: null,
  ruleset: null,
  // An enabled webhook sends the audit log to its URL.
  needs: (_before, after) => (after?.isEnabled ? ["read_audit_logs"] : []),
  reach: EVERYWHERE,
};

const MAX_WEBHOOKS = 500;

export function createWebhookStore(deps: StoreDeps) {
  const { db, projectID, by } = deps;
  const store = entityStore(deps, webhookKind);
  const deliveries = createDeliveryStore(deps);
  return {
    ...store,

    /** @throws AppError invalid_request if the server may not send anything to its URL; conflict if the project has too many webhooks */
    async create(webhook: Webhook, before?: Webhook): Promise<Webhook> {
      requireSendable(webhook.url);
      await requireRoom();
      const written = await store.create(webhook, before);
      if (webhook.isEnabled) await deliveries.begin(webhook);
      return written;
    },

    /** @throws AppError invalid_request if the server may not send anything to a new URL; conflict if `before` is outdated */
    async replace(before: Webhook, after: Webhook, options?: WriteOptions): Promise<Webhook> {
      if (after.url !== before.url || (after.isEnabled && !before.isEnabled)) requireSendable(after.url);
      const written = await store.replace(before, after, options);
      if (after.isEnabled && !before.isEnabled) await deliveries.begin(after);
      if (!after.isEnabled && before.isEnabled) await deliveries.end(after);
      return written;
    },

    /** @throws AppError conflict if `webhook` is outdated */
    async delete(webhook: Webhook): Promise<void> {
      await store.delete(webhook);
      await deliveries.delete(webhook);
    },

    /** The secret that signs messages to a webhook. Null if the server has none. */
    secret: ({ id }: Webhook): string | null => db.webhooks?.secretFor(projectID, id) ?? null,

    /** Sends a sample event. Not in a transaction. */
    async test({ id, url, format, version }: Webhook) {
      const [event] = await readEvents({ db, projectID }, await deliveries.lastChange(id, version));
      if (!db.webhooks || !event) return { answer: null, reason: "The server sends nothing." };
      const body = toBody(format, toTest(event), { names: new Map(), publicUrl: db.webhooks.publicUrl });
      const message = { id: `${id}_test_${by.now}`, time: by.now, body };
      return db.webhooks.deliver(projectID, { url, secretName: id }, message);
    },

    /** The newest first. */
    listDeliveries: (webhook: Webhook, filter: DeliveryFilter, window: Window): Promise<{ data: Delivery[]; total: number }> =>
      deliveries.list(webhook, filter, window),

    /** @throws AppError not_found; conflict if the webhook is disabled */
    async redeliver(webhook: Webhook, deliveryID: string): Promise<void> {
      if (!(await deliveries.has(webhook, deliveryID))) throw notFound(`Delivery of webhook ${webhook.id}`, deliveryID);
      if (!webhook.isEnabled) throw conflict(`Webhook ${webhook.id} is disabled. Enable it first.`);
      await deliveries.redeliver(webhook, deliveryID);
    },
  };

  function requireSendable(url: string): void {
    const errorMessage = db.webhooks ? db.webhooks.refusal(url) : "cannot be set: the server sends nothing";
    if (errorMessage !== undefined) throw invalid([{ property: "url", errorMessage }]);
  }

  async function requireRoom(): Promise<void> {
    await lock(db, `webhooks ${projectID}`);
    const [row] = await db.$queryRaw<[{ count: number }]>`select count(*)::int as count from webhook where "projectID" = ${projectID}`;
    if (row.count >= MAX_WEBHOOKS) throw conflict(`The project has ${MAX_WEBHOOKS} webhooks, which is the maximum. Delete one first.`);
  }
}
