import type { Schema } from "../../api.ts";
import type { Tone } from "../../ui/badge.tsx";

export const FORMATS = [
  { id: "standard", label: "JSON, signed (Standard Webhooks)" },
  { id: "slack", label: "Slack" },
  { id: "teams", label: "Microsoft Teams" },
  { id: "discord", label: "Discord" },
] as const satisfies readonly { id: Schema<"WebhookFormat">; label: string }[];

export const ACTIONS = [
  { id: "created", label: "Created" },
  { id: "updated", label: "Updated" },
  { id: "deleted", label: "Deleted" },
  { id: "recorded", label: "Other events" },
] as const satisfies readonly { id: Schema<"WebhookAction">; label: string }[];

/** Types of events that change no entity. */
const EVENTS = {
  code_references: "code references",
  console_key_use: "console key used",
  experiment_health: "experiment health",
  export: "export",
  guardrail_alert: "guardrail alert",
  ingestion_run: "ingestion run",
  permission: "permission denied",
  pulse_load: "results update",
  scim_group: "identity provider group",
  session: "session",
  topline_alert: "alert raised or resolved",
  unit_data: "user data",
  prompt_evaluation: "prompt evaluation",
  webhook_delivery: "delivery sent again",
} satisfies Partial<Record<Schema<"WebhookEntityType">, string>>;

type EventType = keyof typeof EVENTS;
/** Compiles only if each type of the contract is an event or one of the given nouns. */
export const typeOptions = (nouns: Record<Exclude<Schema<"WebhookEntityType">, EventType>, string>) =>
  Object.entries({ ...nouns, ...EVENTS })
    .map(([id, label]) => ({ id: id as Schema<"WebhookEntityType">, label }))
    .sort((a, b) => a.label.localeCompare(b.label));

export const STATUSES = {
  PENDING: { name: "Pending", tone: "warn" },
  DELIVERED: { name: "Delivered", tone: "good" },
  FAILED: { name: "Failed", tone: "bad" },
} as const satisfies Record<Schema<"WebhookDelivery">["status"], { name: string; tone: Tone }>;

/** The error of a URL that can’t become an https or http URL by typing more. Undefined without one. */
export function urlFault(typed: string): string | undefined {
  const url = typed.trim().toLowerCase();
  const isPossible = ["https://", "http://"].some((scheme) => scheme.startsWith(url) || url.startsWith(scheme));
  return isPossible ? undefined : "Begin with https://, such as https://example.com/events.";
}
