import ipaddr from "ipaddr.js";
import { AppError } from "../../common/errors.ts";

/** The server in terms of WebAuthn: passkeys belong to a relying party. */
export type RelyingParty = { id: string; name: string; origin: string };

/** Undefined if the URL can't have passkeys: browsers support them only for https with a host name, and for localhost. */
export function toRelyingParty(publicUrl: string | undefined): RelyingParty | undefined {
  if (publicUrl === undefined) return undefined;
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isLocal = hostname === "localhost" || hostname.endsWith(".localhost");
  if (ipaddr.isValid(hostname.replaceAll(/[[\]]/g, "")) || (protocol !== "https:" && !isLocal)) return undefined;
  return { id: hostname, name: "Gatehouse", origin };
}

/** @throws AppError not_found */
export function requireRelyingParty(relyingParty: RelyingParty | undefined): RelyingParty {
  if (relyingParty) return relyingParty;
  throw new AppError("not_found", "Passkeys are not set up. The operator does that with GATEHOUSE_PUBLIC_URL.");
}
