import type { Change } from "../changes/change.ts";
import { cut, describeEvent, type SubjectNames } from "./event-words.ts";
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

/** The type of the event that tests send. */
const TEST = "webhook.test";

/** The event that tests a webhook. */
export const toTest = (event: WebhookEvent): WebhookEvent => ({ ...event, type: TEST });

/** The body of a message about an event, as JSON. Texts of people and keys stay plain text in chats: none becomes a link or a mention. */
export function toBody(format: Webhook["format"], event: WebhookEvent, names: SubjectNames): string {
  if (format === "standard") return JSON.stringify(event);
  return JSON.stringify(CHATS[format](describeEvent(event, names, event.type === TEST)));
}

const CHATS: Record<Exclude<Webhook["format"], "standard">, (text: string) => object> = {
  slack: (text) => ({
    // Notifications show it.
    text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    blocks: [{ type: "section", text: { type: "plain_text", text, emoji: false } }],
  }),

  teams: (text) => ({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          body: [{ type: "RichTextBlock", inlines: [{ type: "TextRun", text }] }],
        },
      },
    ],
  }),

  discord: (text) => ({
    // Each letter may get a backslash, and Discord takes 2,000 letters.
    content: cut(text, 1_000)
      .replace(/[\\`*_~|>#[\]()<:@-]/g, "\\$&")
      .slice(0, 2_000),
    allowed_mentions: { parse: [] },
    // SUPPRESS_EMBEDS
    flags: 4,
  }),
};
