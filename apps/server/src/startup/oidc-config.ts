import type { ClaimPath } from "../accounts/identity.ts";
import type { OidcConfig } from "../accounts/provider.ts";
import type { RoleMapping } from "../accounts/role-mapping.ts";
import { toLowerAscii } from "../common/email.ts";

/** Reads a setting, or reports its required form. */
export type Setting = <T>(name: string, fallback: T, read: (text: string) => T | undefined, must: string) => T;

const LOOPBACK_HOSTS = ["127.0.0.1", "[::1]", "localhost"];
const DOMAIN_PATTERN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const SCOPES = ["openid", "email", "profile"];
const SCOPE_PATTERN = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]+$/;
/** Issuers whose accounts belong to many organizations or to private people, so that any of them could claim an address. */
const SHARED_ISSUERS = [
  /^https:\/\/login\.(microsoftonline\.(com|us)|partner\.microsoftonline\.cn|chinacloudapi\.cn)\/(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(\/|$)/i,
  /^https:\/\/(accounts\.google|appleid\.apple|gitlab|slack|login\.salesforce|www\.linkedin|www\.facebook|api\.login\.yahoo)\.com(\/|$)/i,
];

/** The required form of a setting that maps values to roles. */
export const ROLES_MUST = 'pairs such as leads=Admin, separated by commas, or JSON such as [["cn=leads,dc=example","Admin"]]';

/** Undefined if no provider is set up. */
export function readOidc(setting: Setting, faults: string[]): OidcConfig | undefined {
  const earlier = faults.length;
  const text = (name: string) => setting<string | undefined>(name, undefined, (given) => given, "a text");
  const issuer = setting("GATEHOUSE_OIDC_ISSUER", undefined, readIssuer, "an https URL (or http on this machine)");
  const [clientID, clientSecret] = [text("GATEHOUSE_OIDC_CLIENT_ID"), text("GATEHOUSE_OIDC_CLIENT_SECRET")];
  const domains = setting("GATEHOUSE_OIDC_ALLOWED_DOMAINS", undefined, readDomains, "domains such as example.com, separated by commas");
  const scopes = setting(
    "GATEHOUSE_OIDC_SCOPES",
    undefined,
    readScopes,
    "scopes such as openid email groups, separated by spaces, with openid",
  );
  const trusted = setting(
    "GATEHOUSE_OIDC_TRUST_EMAILS_FROM",
    undefined,
    (given) => readTrusted(given, issuer),
    "the URL in GATEHOUSE_OIDC_ISSUER, of a provider with the accounts of one organization (so not Google's, or Microsoft's common one)",
  );
  const roleClaim = setting(
    "GATEHOUSE_OIDC_ROLE_CLAIM",
    undefined,
    readClaim,
    'the name of a claim, a path such as realm_access.roles, or a JSON array such as ["resource_access","my.client","roles"]',
  );
  const roles = setting("GATEHOUSE_OIDC_ROLES", undefined, readRoles, ROLES_MUST);
  const further = {
    CLIENT_ID: clientID,
    CLIENT_SECRET: clientSecret,
    ALLOWED_DOMAINS: domains,
    SCOPES: scopes,
    ROLE_CLAIM: roleClaim,
    ROLES: roles,
  };
  if (faults.length > earlier) return undefined;
  if (issuer === undefined) {
    const given = Object.entries(further).find(([, value]) => value !== undefined);
    if (given) faults.push(`GATEHOUSE_OIDC_${given[0]} needs GATEHOUSE_OIDC_ISSUER`);
    return undefined;
  }
  if ((roleClaim === undefined) !== (roles === undefined))
    faults.push("GATEHOUSE_OIDC_ROLE_CLAIM and GATEHOUSE_OIDC_ROLES need each other");
  if (clientID === undefined || clientSecret === undefined || domains === undefined) {
    faults.push("GATEHOUSE_OIDC_ISSUER needs GATEHOUSE_OIDC_CLIENT_ID, GATEHOUSE_OIDC_CLIENT_SECRET, and GATEHOUSE_OIDC_ALLOWED_DOMAINS");
    return undefined;
  }
  const trustsEmails = trusted !== undefined;
  return { issuer, clientID, clientSecret, scopes: scopes ?? SCOPES, allowedDomains: domains, trustsEmails, roleClaim, roles: roles ?? [] };
}

function readIssuer(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && LOOPBACK_HOSTS.includes(hostname)) ? text : undefined;
}

function readDomains(text: string): string[] | undefined {
  const domains = text.split(",").map((domain) => toLowerAscii(domain.trim()));
  return domains.every((domain) => DOMAIN_PATTERN.test(domain)) ? domains : undefined;
}

function readScopes(text: string): string[] | undefined {
  const scopes = [...new Set(text.trim().split(/ +/))];
  return scopes.includes("openid") && scopes.every((scope) => SCOPE_PATTERN.test(scope)) ? scopes : undefined;
}

/** The trust is in one issuer, which is repeated so that it does not pass to another one. */
function readTrusted(text: string, issuer: string | undefined): string | undefined {
  return text === issuer && !SHARED_ISSUERS.some((shared) => shared.test(text)) ? text : undefined;
}

function readClaim(text: string): ClaimPath | undefined {
  if (!text.startsWith("[")) return text;
  const path = parse(text);
  return isTexts(path) ? path : undefined;
}

/** Pairs of a value and a role, as `leads=Admin,developers=Member` or as JSON. */
export function readRoles(text: string): RoleMapping | undefined {
  const pairs = text.startsWith("[") ? parse(text) : text.split(",").map((pair) => pair.split("=").map((part) => part.trim()));
  return Array.isArray(pairs) && pairs.length > 0 && pairs.every(isPair) ? pairs : undefined;
}

function isPair(value: unknown): value is [string, string] {
  return isTexts(value) && value.length === 2;
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string" && one !== "");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
