import { resolve } from "node:path";
import type { OidcConfig } from "../accounts/provider.ts";
import { toRelyingParty } from "../accounts/second-factors/relying-party.ts";
import { ConfigError } from "../common/config-error.ts";
import { readEmail } from "../common/email.ts";
import { readHosts } from "../common/listed-hosts.ts";
import { HOUR_MS } from "../common/utc-day.ts";
import type { EmailSettings } from "../email/email-settings.ts";
import type { ScimConfig } from "../scim/scim-env.ts";
import type { TelemetrySettings } from "../telemetry/telemetry-settings.ts";
import { readAddresses } from "./console-addresses.ts";
import { databaseUrlFault } from "./database-url.ts";
import { missingForEmail, readEmailSettings } from "./email-config.ts";
import { type LogConfig, readLog } from "./log-config.ts";
import { readOidc } from "./oidc-config.ts";
import { readPublicUrl } from "./public-url.ts";
import { readScim } from "./scim-config.ts";
import { readSecrets, type Secrets } from "./secrets-config.ts";
import {
  LIMIT_MUST,
  MAX_STREAMS_SETTING,
  PROXIES_MUST,
  readingFrom,
  readLimit,
  readProxies,
  readRequestSettings,
  wholeNumber,
} from "./setting-values.ts";
import { readTelemetry } from "./telemetry-config.ts";

/** The settings of a server. Every one has a default. */
export type Config = Secrets &
  LogConfig & {
    port: number;
    host: string;
    /** A Postgres connection string. Undefined means the embedded database. */
    databaseUrl: string | undefined;
    /** Whether a transaction pooler is at that address; `auto` detects it. */
    databasePooler: (typeof POOLERS)[number];
    /** The address of Postgres itself, for migrations and notifications past the pooler. */
    databaseDirectUrl: string | undefined;
    /** The address of a standby that serves large reads. */
    databaseReadUrl: string | undefined;
    /** Maximum number of connections to Postgres, not counting the one for notifications. */
    databasePoolSize: number;
    /** Interval of polling for changes, in case notifications are missed, ms. Undefined means that it depends on whether any can arrive. */
    changePollMs: number | undefined;
    /** The folder of the embedded database, or `memory`. */
    dataDir: string;
    /** The console key that the first start creates. Undefined means a random one. */
    consoleKey: string | undefined;
    /** The origins whose pages may call the console API. Empty means none. */
    corsOrigins: string[];
    /** A ClickHouse that stores events and exposures. Undefined means that the database does. */
    eventsUrl: string | undefined;
    /** How long events are kept, days from their arrival. */
    eventRetentionDays: number;
    /** Whether events keep fields of their users beside the ids. */
    eventUserFields: boolean;
    /** Addresses and ranges of the proxies whose `X-Forwarded-…` headers count. Empty means none. */
    trustedProxies: string[];
    /** The URL at which callers reach the server, without a slash at its end. Undefined means as each request says. */
    publicUrl: string | undefined;
    /** The most streams of flag changes at once. */
    maxStreams: number;
    /** The most streams of one key at once. */
    maxStreamsPerKey: number;
    /** The most writes of one key in ten seconds, on all servers together. */
    writeLimit: number | "off";
    /** The most requests for flags of one key in ten seconds, on each server. */
    evaluationLimit: number | "off";
    /** The most requests with events of one key in ten seconds, on each server. */
    eventLimit: number | "off";
    /** How long shared caches such as CDNs may serve rulesets whose URL contains the key, seconds. */
    cdnMaxAge: number | "off";
    /** How long it goes on serving after a stop signal, ms. It is not ready during that time, so that load balancers find other replicas. */
    stopDelayMs: number;
    /** URIs at which people report vulnerabilities of the server. Empty means none. */
    securityContacts: string[];
    /** The URL of the policy for such reports. */
    securityPolicy: string | undefined;
    /** Addresses and ranges, in canonical form, that people can use the console from. Empty means everywhere. */
    consoleAddresses: string[];
    /** The first administrator. A start creates them until an administrator exists. */
    adminEmail: string | undefined;
    adminPassword: string | undefined;
    /** The OpenID Connect provider with which people sign in. */
    oidc: OidcConfig | undefined;
    /** The settings of SCIM. Undefined if no identity provider manages people. */
    scim: ScimConfig | undefined;
    /** Whether people sign in with passwords. */
    passwordSignIn: boolean;
    /** Whether everyone who signs in with a password must have a second factor. */
    requiresSecondFactor: boolean;
    /** A session ends after so many hours without a request. */
    sessionIdleHours: number;
    /** A session ends after so many days in any case. */
    sessionDays: number;
    /** The hosts that the server may connect to for warehouses of projects, `host` or `host:port`. */
    warehouseHosts: string[];
    /** The hosts of webhooks that may have private addresses, `host` or `host:port`. */
    webhookHosts: string[];
    /** The hosts at which the server may ask models, `host` or `host:port`. */
    modelHosts: string[];
    /** How the server sends email. Undefined if it sends none. */
    email: EmailSettings | undefined;
    /** What is sent by OpenTelemetry, and how. Undefined means nothing. */
    telemetry: TelemetrySettings | undefined;
    /** How long the audit log is kept, days. Undefined means for ever. */
    auditRetentionDays: number | undefined;
  };

const POOLERS = ["auto", "none", "transaction"] as const;
const MIN_CHANGE_POLL_MS = 50;
/** A migration, an analysis and a request can each hold a connection. */
const MIN_POOL_SIZE = 3;
const CONSOLE_KEY_PATTERN = /^console-[A-Za-z0-9_-]{16,}$/;

/** Reads every setting and reports all faults together. Folders are relative to the directory of the command. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  const setting = readingFrom(env, faults);
  const databaseUrl = (name: string): string | undefined => {
    const text = env[name] || undefined;
    const fault = text === undefined ? undefined : databaseUrlFault(text);
    if (fault !== undefined) faults.push(`${name} ${fault}`);
    return text;
  };
  const config: Config = {
    port: setting("PORT", 4000, wholeNumber(0, 65535), "a whole number from 0 to 65535"),
    host: setting("HOST", "127.0.0.1", (text) => text, "a host name or address"),
    databaseUrl: databaseUrl("DATABASE_URL"),
    databasePooler: setting("DATABASE_POOLER", "auto", (text) => POOLERS.find((pooler) => pooler === text), `one of ${POOLERS.join(", ")}`),
    databaseDirectUrl: databaseUrl("DATABASE_DIRECT_URL"),
    databaseReadUrl: databaseUrl("DATABASE_READ_URL"),
    databasePoolSize: setting("DATABASE_POOL_SIZE", 16, wholeNumber(MIN_POOL_SIZE, 500), `a whole number from ${MIN_POOL_SIZE} to 500`),
    changePollMs: setting(
      "GATEHOUSE_CHANGE_POLL_MS",
      undefined,
      wholeNumber(MIN_CHANGE_POLL_MS, 60_000),
      `a whole number of milliseconds from ${MIN_CHANGE_POLL_MS} to 60000`,
    ),
    dataDir: setting("GATEHOUSE_DATA_DIR", ".gatehouse", (text) => text, "a folder, or memory"),
    consoleKey: setting(
      "GATEHOUSE_CONSOLE_KEY",
      undefined,
      (text) => (CONSOLE_KEY_PATTERN.test(text) ? text : undefined),
      "console- and at least 16 letters, digits, hyphens, or underscores",
    ),
    ...readLog(setting),
    telemetry: readTelemetry(setting),
    corsOrigins: setting("GATEHOUSE_CORS_ORIGINS", [], readOrigins, "origins such as https://example.com, separated by commas"),
    eventsUrl: setting(
      "GATEHOUSE_EVENTS_URL",
      undefined,
      readEventsUrl,
      "a URL such as clickhouse://user:password@host:8123/database, with ?secure=true for TLS and ?cluster=NAME for a cluster",
    ),
    eventRetentionDays: setting("GATEHOUSE_EVENT_RETENTION_DAYS", 90, wholeNumber(1, 3650), "a whole number of days from 1 to 3650"),
    eventUserFields: setting("GATEHOUSE_EVENT_USER_FIELDS", true, readSwitch, "on or off"),
    trustedProxies: setting("GATEHOUSE_TRUSTED_PROXIES", [], readProxies, PROXIES_MUST),
    publicUrl: readPublicUrl(env, faults),
    maxStreams: setting(
      "GATEHOUSE_MAX_STREAMS",
      5_000,
      wholeNumber(1, MAX_STREAMS_SETTING),
      `a whole number from 1 to ${MAX_STREAMS_SETTING}`,
    ),
    maxStreamsPerKey: setting(
      "GATEHOUSE_MAX_STREAMS_PER_KEY",
      2_500,
      wholeNumber(1, MAX_STREAMS_SETTING),
      `a whole number from 1 to ${MAX_STREAMS_SETTING}`,
    ),
    writeLimit: setting("GATEHOUSE_WRITE_LIMIT", 5_000, readLimit, LIMIT_MUST),
    ...readRequestSettings(setting),
    securityContacts: setting(
      "GATEHOUSE_SECURITY_CONTACT",
      [],
      readContacts,
      "URIs such as mailto:security@example.com or https://example.com/security, separated by commas",
    ),
    securityPolicy: setting("GATEHOUSE_SECURITY_POLICY", undefined, readHttpsUrl, "an https URL"),
    consoleAddresses: readAddresses("GATEHOUSE_CONSOLE_ADDRESSES", env, faults),
    adminEmail: setting("GATEHOUSE_ADMIN_EMAIL", undefined, readEmail, "an email address"),
    adminPassword: setting("GATEHOUSE_ADMIN_PASSWORD", undefined, readPassword, "12 to 256 characters long"),
    oidc: readOidc(setting, faults),
    scim: readScim(setting, faults),
    passwordSignIn: setting("GATEHOUSE_PASSWORD_SIGN_IN", true, readSwitch, "on or off"),
    requiresSecondFactor: setting("GATEHOUSE_SECOND_FACTOR", false, readSecondFactor, "optional or required"),
    sessionIdleHours: setting("GATEHOUSE_SESSION_IDLE_HOURS", 12, wholeNumber(1, 8760), "a whole number of hours from 1 to 8760"),
    sessionDays: setting("GATEHOUSE_SESSION_DAYS", 14, wholeNumber(1, 365), "a whole number of days from 1 to 365"),
    ...readSecrets(setting, faults),
    email: readEmailSettings(setting, faults),
    warehouseHosts: setting(
      "GATEHOUSE_WAREHOUSE_HOSTS",
      [],
      readHosts,
      "hosts such as warehouse.example.com or 10.0.0.7:5432, separated by commas",
    ),
    webhookHosts: setting("GATEHOUSE_WEBHOOK_HOSTS", [], readHosts, "hosts such as hooks.internal or 10.0.0.7:8080, separated by commas"),
    modelHosts: setting("GATEHOUSE_MODEL_HOSTS", [], readHosts, "hosts such as api.openai.com or 10.0.0.7:8000, separated by commas"),
    auditRetentionDays: setting(
      "GATEHOUSE_AUDIT_RETENTION_DAYS",
      undefined,
      wholeNumber(1, 36_500),
      "a whole number of days from 1 to 36500",
    ),
  };
  if (config.databaseUrl === undefined) {
    if (config.databaseDirectUrl !== undefined) faults.push("DATABASE_DIRECT_URL needs DATABASE_URL");
    if (config.databaseReadUrl !== undefined) faults.push("DATABASE_READ_URL needs DATABASE_URL");
  }
  if ((config.adminEmail === undefined) !== (config.adminPassword === undefined))
    faults.push("GATEHOUSE_ADMIN_EMAIL and GATEHOUSE_ADMIN_PASSWORD need each other");
  if (config.securityPolicy !== undefined && config.securityContacts.length === 0)
    faults.push("GATEHOUSE_SECURITY_POLICY needs GATEHOUSE_SECURITY_CONTACT");
  if (config.oidc !== undefined && config.publicUrl === undefined) faults.push("GATEHOUSE_OIDC_ISSUER needs GATEHOUSE_PUBLIC_URL");
  faults.push(...missingForEmail(config));
  // Otherwise the page of another site whose host name resolves to this server would count as same-origin, and could sign in through the browsers
  // of people at these addresses.
  if (config.consoleAddresses.length > 0 && config.publicUrl === undefined)
    faults.push("GATEHOUSE_CONSOLE_ADDRESSES needs GATEHOUSE_PUBLIC_URL");
  if (config.oidc?.roleClaim !== undefined && config.scim?.roles !== undefined)
    faults.push("GATEHOUSE_OIDC_ROLE_CLAIM and GATEHOUSE_SCIM_ROLES can't both be set, since each of them decides roles");
  if (config.oidc === undefined && !config.passwordSignIn)
    faults.push("GATEHOUSE_PASSWORD_SIGN_IN can be off only with GATEHOUSE_OIDC_ISSUER");
  if (config.requiresSecondFactor && config.secretKey === undefined && toRelyingParty(config.publicUrl) === undefined)
    faults.push("GATEHOUSE_SECOND_FACTOR=required needs GATEHOUSE_SECRET_KEY, or an https URL with a host name in GATEHOUSE_PUBLIC_URL");
  if (faults.length > 0) throw new ConfigError(faults);
  if (config.dataDir !== "memory") config.dataDir = resolve(env.INIT_CWD ?? process.cwd(), config.dataDir);
  return config;
}

/** When sessions end, ms. */
export function toSessionLimits({ sessionIdleHours, sessionDays }: Pick<Config, "sessionIdleHours" | "sessionDays">) {
  return { idleMs: sessionIdleHours * HOUR_MS, longestMs: sessionDays * 24 * HOUR_MS };
}

const EVENTS_URL_PARAMETERS = new Map([
  ["secure", /^(true|false)$/],
  ["cluster", /^[A-Za-z0-9_-]{1,100}$/],
]);

function readEventsUrl(text: string): string | undefined {
  if (!/^clickhouse:\/\/[^/]/.test(text) || !URL.canParse(text)) return undefined;
  const { searchParams, pathname, hash } = new URL(text);
  const isKnown = [...searchParams].every(([name, value]) => EVENTS_URL_PARAMETERS.get(name)?.test(value));
  return isKnown && hash === "" && /^\/?[^/]*$/.test(pathname) ? text : undefined;
}

function readOrigins(text: string): string[] | undefined {
  const origins = text.split(",").map((origin) => origin.trim());
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined;
}

function readSwitch(text: string): boolean | undefined {
  return { on: true, off: false }[text];
}

function readSecondFactor(text: string): boolean | undefined {
  return { required: true, optional: false }[text];
}

function readPassword(text: string): string | undefined {
  return text.length >= 12 && text.length <= 256 ? text : undefined;
}

function readContacts(text: string): string[] | undefined {
  const contacts = text.split(",").map((contact) => contact.trim());
  const isContact = (contact: string) => /^(mailto|tel):[!-~]+$/.test(contact) || readHttpsUrl(contact) !== undefined;
  return contacts.every(isContact) ? contacts : undefined;
}

function readHttpsUrl(text: string): string | undefined {
  return /^https:\/\/[!-~]+$/.test(text) && URL.canParse(text) ? text : undefined;
}
