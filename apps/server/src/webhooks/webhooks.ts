import { createHmac, hkdfSync } from "node:crypto";
import { isIP } from "node:net";
import { Webhook } from "standardwebhooks";
import { hostOf, isListedHost } from "../common/listed-hosts.ts";
import type { Tracing } from "../common/tracing.ts";
import type { Database } from "../store/database/database.ts";
import type { Webhooks } from "../store/database/db.ts";
import { post, WebhookFailure } from "./post.ts";
import { isPublicAddress } from "./public-address.ts";

/** The operator's settings for webhooks. */
export type WebhookSettings = {
  /** The hosts that may have private addresses, `host` or `host:port`, in lower case. */
  hosts: readonly string[];
  /** The secret from which those of webhooks are derived. Undefined means that there are no webhooks. */
  secretKey: string | undefined;
  /** The address of the web console, for links in chats. Undefined means that messages have no links. */
  publicUrl?: string | undefined;
  /** Continues the trace of a delivery at its receiver. */
  tracing?: Pick<Tracing, "outgoing"> | undefined;
};

const NO_SECRET = "needs GATEHOUSE_SECRET_KEY, from which the server derives the secret that signs requests. It is not set";

function createWebhooks({ hosts, secretKey, publicUrl, tracing }: WebhookSettings): Webhooks {
  const key = secretKey === undefined ? undefined : Buffer.from(hkdfSync("sha256", secretKey, "", "gatehouse webhooks 1", 32));

  const isNamed = (url: URL): boolean => isListedHost(hostOf(url), hosts);
  const secretFor = (projectID: string, name: string): string | undefined =>
    key &&
    `whsec_${createHmac("sha256", key)
      .update(JSON.stringify([projectID, name]))
      .digest("base64")}`;

  const deliver: Webhooks["deliver"] = async (projectID, { url, secretName }, { id, time, body }) => {
    const secret = secretFor(projectID, secretName);
    if (secret === undefined) return { answer: null, reason: NO_SECRET };
    const headers = {
      "Content-Type": "application/json",
      "User-Agent": "Gatehouse",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(time / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, new Date(time), body),
    };
    try {
      const send = (more: Record<string, string> = {}) =>
        post(url, { body, headers: { ...headers, ...more }, allowsPrivate: isNamed(new URL(url)) });
      const answer = await (tracing ? tracing.outgoing("POST", send) : send());
      return { answer, reason: answer.status >= 200 && answer.status < 300 ? null : `It answered ${answer.status}.` };
    } catch (error) {
      if (error instanceof WebhookFailure) return { answer: null, reason: error.message };
      throw error;
    }
  };

  return {
    publicUrl,

    refusal(text) {
      if (key === undefined) return NO_SECRET;
      if (!URL.canParse(text)) return "must be a URL such as https://hooks.example.com/gatehouse";
      const url = new URL(text);
      if (url.protocol !== "https:" && url.protocol !== "http:") return "must be an https or http URL";
      if (url.username !== "" || url.password !== "") return "must have no user and no password";
      const literal = url.hostname.replace(/^\[|\]$/g, "");
      const isPrivate = url.hostname === "localhost" || (isIP(literal) > 0 && !isPublicAddress(literal));
      if (isPrivate && !isNamed(url))
        return "must have a host with a public address, or one of those in GATEHOUSE_WEBHOOK_HOSTS, which the operator of the server sets";
      return undefined;
    },

    secretFor,

    deliver,

    async send(projectID, url, message) {
      const { reason } = await deliver(projectID, { url, secretName: url }, message);
      if (reason !== null) throw new WebhookFailure(reason);
    },
  };
}

/** The same database, whose projects can have webhooks. */
export function withWebhooks(database: Database, settings: WebhookSettings): Database {
  const webhooks = createWebhooks(settings);
  return {
    ...database,
    db: { ...database.db, webhooks },
    transaction: (work, options) => database.transaction((db) => work({ ...db, webhooks }), options),
  };
}
