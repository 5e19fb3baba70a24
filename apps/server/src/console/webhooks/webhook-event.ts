import type { Change } from "../changes/change.ts";
import { pagePath } from "../notifications/notification.ts";
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
};

/** @param timestamp ISO 8601 */
export function toEvent(data: EventData, timestamp: string): WebhookEvent {
  return { type: `${data.entityType}.${data.action}`, timestamp, data };
}

/** The type of the event that tests send. */
const TEST = "webhook.test";

/** The event that tests a webhook. */
export const toTest = (event: WebhookEvent): WebhookEvent => ({ ...event, type: TEST });

type Known = {
  names: SubjectNames;
  /** The address of the web console. Undefined means that messages have no links. */
  publicUrl: string | undefined;
};

/**
 * The body of a message about an event, as JSON. Texts of people and keys stay plain text in chats: none becomes a link or a mention. The only
 * link is the one to the page of the entity.
 */
export function toBody(format: Webhook["format"], event: WebhookEvent, { names, publicUrl }: Known): string {
  if (format === "standard") return JSON.stringify(event);
  return JSON.stringify(CHATS[format](describeEvent(event, names, event.type === TEST), publicUrl && linkTo(event, publicUrl)));
}

/** The address of the entity's page. Undefined if it has none. */
function linkTo({ data: { entityType, entityID, projectID } }: WebhookEvent, publicUrl: string): string | undefined {
  const path = pagePath({ type: entityType, id: entityID }, projectID);
  // Chats give these characters a meaning, and encodeURIComponent leaves them.
  return path && `${publicUrl}${path.replace(/[!'()*~]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)}`;
}

const LINK_TEXT = "Open in Gatehouse";

/** Discord takes so many letters. */
const MAX_DISCORD = 2_000;

const escapeSlack = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const CHATS: Record<Exclude<Webhook["format"], "standard">, (text: string, link: string | undefined) => object> = {
  slack: (text, link) => ({
    // Notifications show it.
    text: escapeSlack(text),
    blocks: [
      { type: "section", text: { type: "plain_text", text, emoji: false } },
      ...(link === undefined ? [] : [{ type: "context", elements: [{ type: "mrkdwn", text: `<${escapeSlack(link)}|${LINK_TEXT}>` }] }]),
    ],
  }),

  teams: (text, link) => ({
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
          ...(link !== undefined && { actions: [{ type: "Action.OpenUrl", title: LINK_TEXT, url: link }] }),
        },
      },
    ],
  }),

  discord: (text, link) => {
    const masked = link === undefined ? "" : `\n[${LINK_TEXT}](<${link}>)`;
    // Each letter may get a backslash.
    const escaped = cut(text, Math.floor((MAX_DISCORD - masked.length) / 2)).replace(/[\\`*_~|>#[\]()<:@-]/g, "\\$&");
    return {
      content: `${escaped}${masked}`,
      allowed_mentions: { parse: [] },
      // SUPPRESS_EMBEDS
      flags: 4,
    };
  },
};
