import { normalizeEmail, readEmail } from "../common/email.ts";

/** The claims of an ID token, or of the provider's user info. */
export type Claims = Record<string, unknown>;

/**
 * The place of a claim. A text is the name of a claim, or, if no claim has this name, the path to a nested one with dots in between. A list is
 * always a path.
 */
export type ClaimPath = string | string[];

/** The reason why the provider's claims don't contain an address that identifies a person. */
export type AddressFault = "missing" | "invalid" | "unverified" | "unstated";

/** The person that the provider names. */
export type Identity = {
  issuer: string;
  subject: string;
  /** The verified address as it is stored, or the reason why the claims have no such address. */
  address: { email: string } | { fault: AddressFault };
  firstName: string;
  lastName: string;
  /** The values of the claim that decides the role. Null if the provider left them out because there are too many. */
  roles: string[] | null;
};

type Reading = {
  /** Whether an address counts without `email_verified`. */
  trustsEmails: boolean;
  roleClaim: ClaimPath | undefined;
};

/** Longer names are cut, since they are only shown. In characters. */
const MAX_NAME_LENGTH = 200;

/** Reads a person's identity from a verified ID token and from user info, which counts first. */
export function toIdentity(token: Claims & { iss: string; sub: string }, info: Claims, { trustsEmails, roleClaim }: Reading): Identity {
  const name = (claim: string) => nameIn(info, claim) || nameIn(token, claim);
  const [first = "", ...rest] = name("name").split(/\s+/u);
  return {
    issuer: token.iss,
    subject: token.sub,
    address: readAddress(token, info, trustsEmails),
    firstName: name("given_name") || first,
    lastName: name("family_name") || rest.join(" "),
    roles: roleClaim === undefined ? [] : readRoles([info, token], roleClaim),
  };
}

function nameIn(claims: Claims, claim: string): string {
  const given = claims[claim];
  return typeof given === "string"
    ? Array.from(given.replaceAll(/[\p{Cc}\p{Cs}]/gu, " ").trim())
        .slice(0, MAX_NAME_LENGTH)
        .join("")
    : "";
}

/** The address of the user info, or else of the ID token. If the other one has a different address, it is ignored. */
function readAddress(token: Claims, info: Claims, trustsEmails: boolean): Identity["address"] {
  const [own, other] = isGiven(info.email) ? [info, token] : [token, info];
  if (!isGiven(own.email)) return { fault: "missing" };
  const email = typeof own.email === "string" ? readEmail(own.email) : undefined;
  if (email === undefined) return { fault: "invalid" };
  const isSame = !isGiven(other.email) || (typeof other.email === "string" && normalizeEmail(other.email) === email);
  const stated = [own, ...(isSame ? [other] : [])].map((claims) => claims.email_verified).filter((value) => value !== undefined);
  if (stated.length === 0) return trustsEmails ? { email } : { fault: "unstated" };
  return stated.every(isTrue) ? { email } : { fault: "unverified" };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** Some providers, such as Cognito, send truth values as texts. */
function isTrue(value: unknown): boolean {
  return value === true || value === "true";
}

/** The values in the first claims that have any. */
function readRoles(sources: Claims[], claim: ClaimPath): string[] | null {
  const paths = typeof claim === "string" ? [[claim], claim.split(".")] : [claim];
  const values = sources.flatMap((claims) => paths.map((path) => valueAt(claims, path))).find((value) => value !== undefined);
  if (values === undefined && sources.some((claims) => isLeftOut(claims, paths))) return null;
  return [values].flat().filter((value) => typeof value === "string");
}

function valueAt(claims: unknown, path: string[]): unknown {
  return path.reduce<unknown>((value, name) => ownValue(value, name), claims);
}

function ownValue(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name) ? (value as Claims)[name] : undefined;
}

/** Whether the provider names another place for a claim that would be too long, as Entra ID does for people with more than 200 groups. */
function isLeftOut(claims: Claims, paths: string[][]): boolean {
  const isNamed = paths.some(([first = ""]) => ownValue(claims._claim_names, first) !== undefined);
  return isNamed || (isTrue(claims.hasgroups) && paths.some(([first]) => first === "groups"));
}
