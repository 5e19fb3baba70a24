import type { OidcConfig } from "../accounts/provider.ts";

/** Reads a setting, or reports what it must be. */
type Setting = <T>(name: string, fallback: T, read: (text: string) => T | undefined, must: string) => T;

const LOOPBACK_HOSTS = ["127.0.0.1", "[::1]", "localhost"];
const DOMAIN_PATTERN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** Undefined if no provider is set up. */
export function readOidc(setting: Setting, faults: string[]): OidcConfig | undefined {
  const text = (name: string) => setting<string | undefined>(name, undefined, (given) => given, "a text");
  const issuer = setting("GATEHOUSE_OIDC_ISSUER", undefined, readIssuer, "an https URL (or http on this machine)");
  const [clientID, clientSecret] = [text("GATEHOUSE_OIDC_CLIENT_ID"), text("GATEHOUSE_OIDC_CLIENT_SECRET")];
  const domains = setting("GATEHOUSE_OIDC_ALLOWED_DOMAINS", undefined, readDomains, "domains such as example.com, separated by commas");
  const roleClaim = text("GATEHOUSE_OIDC_ROLE_CLAIM");
  const roles = setting("GATEHOUSE_OIDC_ROLES", undefined, readRoles, "pairs such as leads=Admin, separated by commas");
  const further = { CLIENT_ID: clientID, CLIENT_SECRET: clientSecret, ALLOWED_DOMAINS: domains, ROLE_CLAIM: roleClaim, ROLES: roles };
  if (issuer === undefined) {
    const given = Object.entries(further).find(([, value]) => value !== undefined);
    if (given) faults.push(`GATEHOUSE_OIDC_${given[0]} needs GATEHOUSE_OIDC_ISSUER`);
    return undefined;
  }
  if ((roleClaim === undefined) !== (roles === undefined))
    faults.push("GATEHOUSE_OIDC_ROLE_CLAIM and GATEHOUSE_OIDC_ROLES need each other");
  if (clientID === undefined || clientSecret === undefined || domains === undefined) {
    faults.push("GATEHOUSE_OIDC_ISSUER needs GATEHOUSE_OIDC_CLIENT_ID, GATEHOUSE_OIDC_CLIENT_SECRET and GATEHOUSE_OIDC_ALLOWED_DOMAINS");
    return undefined;
  }
  return { issuer, clientID, clientSecret, allowedDomains: domains, roleClaim, roles: roles ?? [] };
}

function readIssuer(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && LOOPBACK_HOSTS.includes(hostname)) ? text : undefined;
}

function readDomains(text: string): string[] | undefined {
  const domains = text.split(",").map((domain) => domain.trim().toLowerCase());
  return domains.every((domain) => DOMAIN_PATTERN.test(domain)) ? domains : undefined;
}

function readRoles(text: string): [string, string][] | undefined {
  const pairs = text.split(",").map((pair) => pair.split("=").map((part) => part.trim()));
  return pairs.every((pair) => pair.length === 2 && pair.every((part) => part !== "")) ? (pairs as [string, string][]) : undefined;
}
