import type { User } from "@gatehouse/evaluation";
import type { Random } from "./random.ts";
import * as words from "./vocabulary.ts";

/**
 * A realistic user: with some fields and without others, of several unit types, in mixed case and any script.
 *
 * Only an `odd` one has values that the two generations of SDKs read differently, so that no evaluator could agree with both. The evaluation
 * API's introduction lists them.
 */
export function randomUser(random: Random, { isOdd = false } = {}): User {
  const maybe = <T>(share: number, field: string, make: () => T) => (random.chance(share) ? { [field]: make() } : {});
  const user: User = {
    userID: random.chance(0.1) ? "" : `${random.pick(words.USER_IDS)}${random.chance(0.7) ? random.integer(0, 999) : ""}`,
    ...maybe(0.5, "email", () => random.pick(words.EMAILS)),
    ...maybe(0.4, "country", () => random.pick(words.COUNTRIES)),
    ...maybe(0.3, "ip", () => random.pick(words.IPS)),
    ...maybe(0.3, "userAgent", () => random.pick(words.USER_AGENTS)),
    ...maybe(0.3, "locale", () => random.pick(words.LOCALES)),
    ...maybe(0.4, "appVersion", () => random.pick(words.VERSIONS)),
    ...maybe(0.5, "customIDs", () => randomCustomIDs(random)),
    ...maybe(0.7, "custom", () => randomFields(random)),
    ...maybe(0.2, "privateAttributes", () => randomFields(random)),
  };
  return isOdd ? { ...user, ...oddFields(random, user) } : user;
}

/** A context of OFREP is flat, so a private attribute cannot stand behind a field without a value. */
function oddFields(random: Random, { privateAttributes }: User): Partial<User> {
  const custom = {
    ...randomFields(random),
    joined: random.pick(words.ODD_TIMES),
    age: random.pick(["", " 17 ", "017", "1e2", true, false, null, [17], []]),
    plan: random.pick([["free"], ["Pro", "trial"], [], "", false, 0, "PRO"]),
    build: random.pick([2, 1.2, "v1.2.3", "1.2.3+45", "", "1..2", " 2"]),
    beta: random.pick([0, 1, "", [true]]),
    roles: random.pick(["admin", "", 1, [], [["admin"]], [1]]),
  };
  const ownPrivate = Object.entries(privateAttributes ?? {}).filter(([field]) => !(field in custom));
  return { custom, privateAttributes: Object.fromEntries(ownPrivate), ...(random.chance(0.3) && { email: "" }) };
}

function randomCustomIDs(random: Random): Record<string, string> {
  return {
    ...(random.chance(0.6) && { [random.pick(["companyID", "companyid"])]: random.pick(words.COMPANY_IDS) }),
    ...(random.chance(0.6) && { stableID: `stable-${random.integer(0, 999)}` }),
  };
}

/** Each field has the type that conditions on it expect. */
function randomFields(random: Random): Record<string, unknown> {
  return {
    ...(random.chance(0.5) && { [random.pick(["plan", "Plan"])]: random.pick(words.PLANS) }),
    ...(random.chance(0.5) && { age: random.pick([...words.NUMBERS, "17", "042", "many"]) }),
    ...(random.chance(0.5) && { beta: random.chance(0.5) }),
    ...(random.chance(0.5) && { roles: random.some(words.ROLES) }),
    ...(random.chance(0.5) && { build: random.pick(words.VERSIONS) }),
    ...(random.chance(0.5) && { joined: random.pick([...words.MOMENTS, 1_609_459_200, "2021-01-01T12:00:00Z"]) }),
    ...(random.chance(0.2) && { note: random.pick(["", "🗻", "a,b"]) }),
  };
}
