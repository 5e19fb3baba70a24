// The purpose and permissions of a key, in words. Pure.

import type { Schema } from "../../api.ts";
import type { Tone } from "../../ui/badge.tsx";
import { listed } from "../../ui/list-text.ts";

export type Key = Schema<"Key">;

const DAY_MS = 86_400_000;
/** An expiry that is nearer than this is worth a warning. */
const SOON_MS = 14 * DAY_MS;

export const TYPE_NAMES: Record<Key["type"], string> = { SERVER: "Server", CLIENT: "Client", CONSOLE: "Console" };

export const TYPE_USES: Record<Key["type"], string> = {
  SERVER: "For your servers. Reads all flags and rules, so keep it secret.",
  CLIENT: "For apps and web pages, where users can see it. Doesn’t read rules.",
  CONSOLE: "For scripts and pipelines that manage this project.",
};

type Power = Pick<Key, "type" | "scopes" | "role">;

/** The permissions of a key, as one sentence without its end. */
export function describePower({ type, scopes, role }: Power): string {
  if (type === "SERVER") return "Reads flags and rules, and logs events";
  if (type === "CLIENT")
    return scopes.includes("client_download_config_specs")
      ? "Reads flags for one user, downloads rules, and logs events"
      : "Reads flags for one user, and logs events";
  const writes = scopes.includes("omni_read_write");
  const keys = scopes.includes("can_access_keys") ? (writes ? ", and manages keys" : ", and sees keys") : "";
  const reviews = writes && scopes.includes("bypass_reviews") ? ", without reviews" : "";
  const agents = writes && scopes.includes("mcp_write") ? ", also over MCP" : "";
  return `${writes ? "Read and change the project" : "Read the project"}${reviews}${agents}${keys}${role === null ? "" : `, as far as the role ${role} does`}`;
}

type Limits = Pick<Key, "type" | "environments" | "primaryTargetApp" | "secondaryTargetApps" | "allowedAddresses">;

/** Longer lists of addresses show only their number. */
const MAX_LISTED_ADDRESSES = 2;

/** The environments, target apps and addresses of a key. */
export function describeLimits({ environments, primaryTargetApp, secondaryTargetApps, allowedAddresses }: Limits): string {
  const count = allowedAddresses.length;
  const addresses = count > MAX_LISTED_ADDRESSES ? `${count} addresses and ranges` : listed(allowedAddresses);
  const apps = [...(primaryTargetApp === null ? [] : [primaryTargetApp]), ...secondaryTargetApps];
  const parts = [
    ...(environments.length === 0 ? [] : [`in ${listed(environments)}`]),
    ...(apps.length === 0 ? [] : [`for ${apps.length === 1 ? "the target app" : "the target apps"} ${listed(apps)}`]),
    ...(count === 0 ? [] : [`from ${addresses}`]),
  ];
  return parts.length === 0 ? "Everywhere" : `Only ${parts.join(", ")}`;
}

/** The effect of a console key's limits on its writes; undefined without limits. */
export function describeWriteLimit(key: Limits): string | undefined {
  if (key.type !== "CONSOLE" || describeLimits({ ...key, allowedAddresses: [] }) === "Everywhere") return undefined;
  return "Reads the whole project, but changes only the environments and apps chosen here.";
}

export type KeyState = { text: string; tone: Tone; isUsable: boolean };

export function keyState({ status, expiresTime }: Pick<Key, "status" | "expiresTime">, now: number): KeyState {
  if (status === "deactivated") return { text: "Deactivated", tone: "off", isUsable: false };
  if (expiresTime === null) return { text: "Active", tone: "good", isUsable: true };
  if (expiresTime <= now) return { text: "Expired", tone: "bad", isUsable: false };
  return expiresTime - now < SOON_MS
    ? { text: "Expires soon", tone: "warn", isUsable: true }
    : { text: "Active", tone: "good", isUsable: true };
}
