import { isIP } from "node:net";
import { readEmail } from "../common/email.ts";
import type { EmailSettings, Sender, SmtpServer } from "../email/email-settings.ts";
import { isPublicAddress } from "../webhooks/public-address.ts";
import type { Setting } from "./oidc-config.ts";

const TLS = ["required", "optional", "off"] as const;
/** Ports for submission (RFC 6409), and for submission over TLS (RFC 8314). */
const PORTS = { "smtp:": 587, "smtps:": 465 };
/** Endings of host names that exist only in private networks. */
const PRIVATE_NAMES = /(^|\.)(internal|local|localhost|home\.arpa)$/;
const URL_MUST =
  "a URL such as smtp://user:password@mail.example.com:587, or smtps:// for TLS from the start, without a path. " +
  "With smtp, it can end with ?tls=required, ?tls=optional or ?tls=off";
const FROM_MUST = "an email address such as gatehouse@example.com, or a name and an address such as Gatehouse <gatehouse@example.com>";
const MAX_NAME_LENGTH = 100;

/** Undefined if the server sends no email. */
export function readEmailSettings(setting: Setting, faults: string[]): EmailSettings | undefined {
  const earlier = faults.length;
  const server = setting("GATEHOUSE_SMTP_URL", undefined, readServer, URL_MUST);
  const from = setting("GATEHOUSE_EMAIL_FROM", undefined, readSender, FROM_MUST);
  if (faults.length > earlier) return undefined;
  if (server !== undefined && from !== undefined) return { server, from };
  if (server !== undefined || from !== undefined) faults.push("GATEHOUSE_SMTP_URL and GATEHOUSE_EMAIL_FROM need each other");
  return undefined;
}

/** The other settings that emails need: a URL for links, and a key with which their texts are encrypted until they are sent. */
export function missingForEmail(given: { email: unknown; publicUrl: string | undefined; secretKey: string | undefined }): string[] {
  if (given.email === undefined) return [];
  return [
    ...(given.publicUrl === undefined ? ["GATEHOUSE_SMTP_URL needs GATEHOUSE_PUBLIC_URL, with which the links in emails begin"] : []),
    ...(given.secretKey === undefined ? ["GATEHOUSE_SMTP_URL needs GATEHOUSE_SECRET_KEY, which encrypts emails until they are sent"] : []),
  ];
}

function readServer(text: string): SmtpServer | undefined {
  if (!/^smtps?:\/\/[^/]/i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, searchParams, hash } = new URL(text);
  const host = hostname.toLowerCase().replace(/^\[|\]$/g, "");
  const isSecure = protocol === "smtps:";
  const [given, ...more] = [...searchParams];
  const tls = given ? TLS.find((one) => given[0] === "tls" && one === given[1]) : isPrivate(host) && !isSecure ? "optional" : "required";
  const credentials = decode(username, password);
  const isValid = !/[\s%]/.test(host) && host !== "" && /^\/?$/.test(pathname) && hash === "" && more.length === 0 && !(isSecure && given);
  if (!isValid || tls === undefined || credentials === undefined || port === "0") return undefined;
  return { host, port: Number(port) || PORTS[protocol as "smtp:"], isSecure, tls, ...(credentials.user !== "" && { credentials }) };
}

/** Undefined unless both or neither are given. */
function decode(username: string, password: string): SmtpServer["credentials"] | undefined {
  if ((username === "") !== (password === "")) return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

/** Whether a host can only be in a private network: by its address, or by a name that public DNS can't have. */
function isPrivate(host: string): boolean {
  return isIP(host) > 0 ? !isPublicAddress(host) : !host.includes(".") || PRIVATE_NAMES.test(host);
}

function readSender(text: string): Sender | undefined {
  const [, name = "", bracketed] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? [];
  const address = readEmail((bracketed ?? text).trim());
  const plain = name.trim().replace(/^"(.*)"$/, "$1");
  return address === undefined || plain.length > MAX_NAME_LENGTH || /[\p{Cc}"\\]/u.test(plain) ? undefined : { name: plain, address };
}
