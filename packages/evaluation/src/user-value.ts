import { idInAnyCase, type Subject, toSubject } from "./subject.ts";
import type { User } from "./user.ts";
import { text } from "./value.ts";

type Reader = (subject: Subject) => unknown;

const FIELDS: ReadonlyMap<string, keyof User> = new Map([
  ["userid", "userID"],
  ["email", "email"],
  ["ip", "ip"],
  ["country", "country"],
  ["locale", "locale"],
  ["appversion", "appVersion"],
  ["useragent", "userAgent"],
]);

const ALIASES: ReadonlyMap<string, keyof User> = new Map([
  ["user_id", "userID"],
  ["app_version", "appVersion"],
  ["user_agent", "userAgent"],
]);

/** Reads a field: the user's own if not empty, then `custom`, then `privateAttributes`; in each the name as written, then in lower case. */
export function userField(field: string | null | undefined): Reader {
  if (field === null || field === undefined) return () => undefined;
  const lower = field.toLowerCase();
  const own = FIELDS.get(lower);
  const alias = ALIASES.get(lower);
  return ({ user }) => {
    const value = own && user[own];
    if (value !== undefined && value !== null && text(value) !== "") return value;
    const custom = attribute(user.custom, field, lower);
    if (custom !== undefined) return custom;
    return attribute(user.privateAttributes, field, lower) ?? (alias && user[alias]);
  };
}

/** The value of a field, as a condition on it reads it. Undefined if the user does not have it. */
export function readUserField(user: User, field: string): unknown {
  return userField(field)(toSubject(user));
}

/** Reads a unit ID: `userID` in any case, or else from `customIDs` by the name as written, then ignoring case. */
export function unitID(idType: string | null | undefined): Reader {
  const lower = (idType ?? "userID").toLowerCase();
  if (lower === "userid") return ({ user }) => user.userID;
  return (subject) => property(subject.user.customIDs, idType ?? "") ?? idInAnyCase(subject, lower);
}

/** A field of the user's environment. A missing tier is `defaultTier`. */
export function environmentField({ user }: Subject, field: string, defaultTier: string | null): unknown {
  return property(user.statsigEnvironment, field) ?? (field.toLowerCase() === "tier" ? defaultTier : undefined);
}

type Properties = Record<string, unknown> | null | undefined;

/** An attribute that is null exists and hides others. */
function attribute(attributes: Properties, field: string, lower: string): unknown {
  const value = property(attributes, field);
  return value === undefined && lower !== field ? property(attributes, lower) : value;
}

/** Reads own properties only, so that attributes with the names of inherited ones are not found. */
function property(properties: Properties, name: string): unknown {
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
