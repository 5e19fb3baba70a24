import { isStorable } from "./storable.ts";

/** The fields of a user that rules read beside `custom`, in their stored order. Ids and the environment have columns. */
const FIELDS = ["email", "ip", "userAgent", "country", "locale", "appVersion"] as const;
/** The most bytes of UTF-8 that are kept of a user. */
const MAX_BYTES = 4096;
const BRACES = 2;
const CUSTOM = '"custom":{}';

type UserInput = { readonly [field: string]: unknown } | null | undefined;

/**
 * The fields of a user as a JSON object: known fields first, then those of `custom`. A field that does not fit, or that the database cannot
 * store, is left out whole. Never has ids, the environment or private attributes. Null if it is empty.
 */
export function toUserFields(user: UserInput): string | null {
  return user ? (wholeFields(user) ?? fittingFields(user)) : null;
}

/** The fields of nearly all users, without a look at each: none of them is too long, null or in need of an escape. */
function wholeFields({ email, ip, userAgent, country, locale, appVersion, custom }: NonNullable<UserInput>): string | null {
  if (typeof custom !== "object" || custom === null || Array.isArray(custom)) return null;
  const text = JSON.stringify({ email, ip, userAgent, country, locale, appVersion, custom });
  const isPlain = text.length <= MAX_BYTES / 3 && !text.includes("\\u") && !text.includes("null") && !text.includes('"custom":{}');
  return isPlain ? text : null;
}

function fittingFields(user: NonNullable<UserInput>): string | null {
  const known = fitting(
    FIELDS.map((name) => [name, user[name] ?? undefined]),
    MAX_BYTES - BRACES,
  );
  const { custom } = user;
  const others =
    typeof custom === "object" && custom !== null && !Array.isArray(custom)
      ? fitting(Object.entries(custom), known.room - CUSTOM.length)
      : { members: [] };
  const members = others.members.length > 0 ? [...known.members, `"custom":{${others.members.join()}}`] : known.members;
  return members.length === 0 ? null : `{${members.join()}}`;
}

/** The members of an object that fit into a number of bytes, in their order, and the remaining room. */
function fitting(entries: [name: string, value: unknown][], room: number): { members: string[]; room: number } {
  const members: string[] = [];
  for (const [name, value] of entries) {
    if (value === undefined || !isStorable(name) || !isStorable(value)) continue;
    const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
    const size = Buffer.byteLength(member) + 1;
    if (size > room) continue;
    members.push(member);
    room -= size;
  }
  return { members, room };
}
