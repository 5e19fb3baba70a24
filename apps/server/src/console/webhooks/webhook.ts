import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { randomID } from "../../common/identifier.ts";
import { created, modified } from "../common/stamp.ts";

export type Webhook = Schema<"Webhook">;
export type Action = Schema<"WebhookAction">;
type WebhookCreate = WritableSchema<"WebhookCreate">;
type WebhookPatch = WritableSchema<"WebhookPatch">;

const DEFAULTS = {
  description: "",
  isEnabled: true,
  disabledReason: null,
  format: "standard",
  entityTypes: [],
  actions: [],
} satisfies Partial<Webhook>;

/** Creates a webhook. Only the name and the URL are required. */
export function newWebhook(given: WebhookCreate, context: Context): Webhook {
  return { id: randomID(), ...DEFAULTS, ...created(context), ...given };
}

/** The webhook with the given fields changed. */
export function changeWebhook(webhook: Webhook, given: WebhookPatch, context: Context): Webhook {
  const changed = { ...webhook, ...given, ...modified(webhook, context) };
  return given.isEnabled === undefined ? changed : { ...changed, disabledReason: null };
}

/** The webhook as the server disables it. */
export function disabledFor(disabledReason: string, webhook: Webhook, context: Context): Webhook {
  return { ...webhook, isEnabled: false, disabledReason, ...modified(webhook, context) };
}

/** An entry of the change log, as far as filters read it. */
type Filtered = { entityType: string; version: number; isCreation: boolean; isDeletion: boolean };

/** What an entry says that happened. */
export function actionOf({ version, isCreation, isDeletion }: Omit<Filtered, "entityType">): Action {
  if (version === 0) return "recorded";
  if (isDeletion) return "deleted";
  return isCreation ? "created" : "updated";
}

/** Whether a webhook gets an entry. */
export function isFor({ entityTypes, actions }: Pick<Webhook, "entityTypes" | "actions">, entry: Filtered): boolean {
  const types: readonly string[] = entityTypes;
  if (types.length > 0 && !types.includes(entry.entityType)) return false;
  return actions.length === 0 || actions.includes(actionOf(entry));
}

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60 * 60_000;
/** The server stops trying to send an event so long after the first attempt. */
export const RETRIED_MS = 24 * 60 * 60_000;

/** When an event is sent again after a failure, ms. The pause doubles, up to an hour. Null if it is not. */
export function nextAttempt(firstAttemptTime: number, now: number): number | null {
  const elapsed = now - firstAttemptTime;
  return elapsed >= RETRIED_MS ? null : now + Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, elapsed));
}
