import { Router } from "express";
import { DAY_MS, utcDay } from "../../common/utc-day.ts";

/** How long the text is valid, days. RFC 9116 recommends less than a year. */
const VALID_DAYS = 90;

export type SecurityContact = {
  /** URIs at which people report vulnerabilities, the preferred one first. Empty means that the file does not exist. */
  contacts: string[];
  /** The URL of the policy for reports. */
  policy?: string | undefined;
};

/** Serves `/.well-known/security.txt` as RFC 9116 describes it. */
export function securityText({ contacts, policy }: SecurityContact, publicUrl: string | undefined, now: () => number): Router {
  const router = Router();
  if (contacts.length === 0) return router;
  router.get("/.well-known/security.txt", (_request, response) => {
    const expires = new Date((utcDay(now()) + VALID_DAYS) * DAY_MS).toISOString();
    const lines = [
      ...contacts.map((contact) => `Contact: ${contact}`),
      `Expires: ${expires}`,
      ...(policy === undefined ? [] : [`Policy: ${policy}`]),
      ...(publicUrl === undefined ? [] : [`Canonical: ${publicUrl}/.well-known/security.txt`]),
    ];
    response
      .set("Cache-Control", "public, max-age=3600")
      .type("text")
      .send(`${lines.join("\n")}\n`);
  });
  return router;
}
