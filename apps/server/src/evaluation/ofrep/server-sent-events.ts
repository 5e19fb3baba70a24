import { type RulesetVersion, versionText } from "./ruleset-version.ts";

/** A browser waits this long before it reconnects. */
const RECONNECT_DELAY_MS = 2_000;

/** Keeps proxies from closing a quiet connection. Readers ignore it. */
export const HEARTBEAT = ":\n\n";

/** Tells that the flags changed: ask again. */
export function refetchEvent(version: RulesetVersion): string {
  const etag = versionText(version);
  return event(etag, { type: "refetchEvaluation", etag, lastModified: Math.floor(version.time / 1000) });
}

/** Tells nothing, and gives the reader an id to continue from. OFREP has providers ignore types that they do not know. */
export function connectedEvent(version: RulesetVersion): string {
  return event(versionText(version), { type: "connected" });
}

/** The first event of a stream. */
export function firstEvent(text: string): string {
  return `retry: ${RECONNECT_DELAY_MS}\n${text}`;
}

function event(id: string, data: object): string {
  return `id: ${id}\nevent: message\ndata: ${JSON.stringify(data)}\n\n`;
}
