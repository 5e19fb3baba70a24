import type { Schema } from "@gatehouse/contract/console";
import { words } from "../../common/words.ts";
import type { Change } from "../changes/change.ts";
import type { Action, Webhook } from "./webhook.ts";

/** The body of a message in the format `standard`. */
export type WebhookEvent = {
  /** The type of the entity and the action: `gate.updated` */
  type: string;
  /** ISO 8601. */
  timestamp: string;
  data: EventData;
};

type EventData = Omit<Change, "isDeletion"> & {
  projectID: string;
  action: Action;
  /** As in the audit log. */
  actionType: string;
  actorEmail: string | null;
  address: string | null;
  userAgent: string | null;
  requestID: string | null;
};

/** @param timestamp ISO 8601 */
export function toEvent(data: EventData, timestamp: string): WebhookEvent {
  return { type: `${data.entityType}.${data.action}`, timestamp, data };
}

/** Longer texts are cut, which chats would refuse. In characters. */
const MAX_TEXT = 1_500;
const MAX_FIELDS = 5;
const MAX_VALUE = 200;

/** One line about an event: `Ada Lovelace updated gate new_checkout: isEnabled (release 4.2)` */
function describeEvent({ type, data }: WebhookEvent): string {
  const { action, actorName, entityType, entityName, entityID, reason } = data;
  const subject = `${words(entityType)} ${entityName ?? entityID}`;
  const who = actorName ?? "A person without a name";
  const text =
    type === TEST
      ? `This is a test of ${subject}.`
      : action === "recorded"
        ? `${subject}${listFields(data, ({ field, after }) => `${field} ${shorten(after)}`)}`
        : `${who} ${action} ${subject}${action === "updated" ? listFields(data, ({ field }) => field) : ""}`;
  return cut(`${text.charAt(0).toUpperCase()}${text.slice(1)}${reason ? ` (${reason})` : ""}`, MAX_TEXT);
}

function listFields({ fields, fieldCount }: EventData, describe: (field: Schema<"ChangedField">) => string): string {
  if (fieldCount === 0) return "";
  const shown = fields.slice(0, MAX_FIELDS).map(describe);
  const rest = fieldCount - shown.length;
  return `: ${shown.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

const shorten = (value: unknown) => cut(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), MAX_VALUE);

/** The first half of a letter that UTF-16 has as two. */
const HALF_LETTER = /[\uD800-\uDBFF]$/;

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).replace(HALF_LETTER, "")}…` : text;
}

/** The type of the event that tests send. */
const TEST = "webhook.test";

/** The event that tests a webhook. */
export const toTest = (event: WebhookEvent): WebhookEvent => ({ ...event, type: TEST });

/** The body of a message about an event, as JSON. Texts of people and keys stay plain text in chats: none becomes a link or a mention. */
export function toBody(format: Webhook["format"], event: WebhookEvent): string {
  return JSON.stringify(BODIES[format](event));
}

const BODIES: Record<Webhook["format"], (event: WebhookEvent) => object> = {
  standard: (event) => event,

  slack(event) {
    const text = describeEvent(event);
    return {
      // Notifications show it.
      text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
      blocks: [{ type: "section", text: { type: "plain_text", text, emoji: false } }],
    };
  },

  teams: (event) => ({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [{ type: "RichTextBlock", inlines: [{ type: "TextRun", text: describeEvent(event) }] }],
        },
      },
    ],
  }),

  discord: (event) => ({
    // Each letter may get a backslash, and Discord takes 2,000 letters.
    content: cut(describeEvent(event), 1_000)
      .replace(/[\\`*_~|>#[\]()<:@-]/g, "\\$&")
      .slice(0, 2_000),
    allowed_mentions: { parse: [] },
    // SUPPRESS_EMBEDS
    flags: 4,
  }),
};
