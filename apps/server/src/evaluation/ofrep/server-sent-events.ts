import { type RulesetVersion, versionText } from "./ruleset-version.ts";

/** A browser waits this long before it reconnects. */
const RECONNECT_DELAY_MS = 2_000;

/** A comment, which keeps proxies from closing an idle connection. Clients ignore it. */
export const HEARTBEAT = ":\n\n";

/** Notifies the client that flags changed, so that it evaluates again. */
export function refetchEvent(version: RulesetVersion): string {
  const etag = versionText(version);
  return event(etag, { type: "refetchEvaluation", etag, lastModified: Math.floor(version.time / 1000) });
}

/** Sends the client an event ID to resume from. OFREP providers ignore the unknown type. */
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
