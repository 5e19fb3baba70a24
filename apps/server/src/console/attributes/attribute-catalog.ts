import type { Schema } from "@gatehouse/contract/console";
import { type Attribute, undescribed } from "./attribute.ts";
import type { AttributeUse } from "./attribute-uses.ts";
import type { SeenUser } from "./seen-users.ts";
import { ENVIRONMENT, isPersonal, MAX_VALUE_LENGTH, STANDARD } from "./standard-attributes.ts";

export type SeenAttribute = Schema<"SeenAttribute">;
type ValueType = SeenAttribute["types"][number];

/** A value that fewer recent users have is not shown, since it may tell who they are. */
const MIN_USERS = 3;
const MAX_VALUES = 20;
/** The most custom fields of users, and the longest name. */
const MAX_CUSTOM = 1_000;
const MAX_NAME_LENGTH = 100;
/** The items of a list that count as values. */
const MAX_ITEMS = 20;

const TYPES = ["string", "number", "boolean", "list", "object"] as const satisfies ValueType[];
const STANDARD_NAMES: ReadonlySet<string> = new Set(STANDARD);

/** An attribute as recent users have it. */
type Seen = { types: Set<ValueType>; users: number; values: Map<string, number>; lastTime: number | null };

type Given = {
  /** Newest first. A user counts once, as the newest exposure shows it. */
  seen: readonly SeenUser[];
  uses: ReadonlyMap<string, AttributeUse>;
  described: readonly Attribute[];
  /** The current time, ms since the epoch. */
  now: number;
};

/** The attributes of a project, sorted by name. */
export function catalog({ seen, uses, described, now }: Given): SeenAttribute[] {
  const users = new Map<string, SeenUser>();
  for (const user of seen) if (!users.has(user.key)) users.set(user.key, user);
  const found = new Map([...STANDARD, ENVIRONMENT].map((name) => [name, unseen()]));
  for (const user of users.values()) for (const [name, value] of attributesOf(user)) note(found, name, value, Math.min(user.time, now));
  const descriptions = new Map(described.map((attribute) => [attribute.id, attribute]));
  const isDescribed = ({ description, isHidden }: Attribute) => description !== "" || isHidden;
  const names = new Set([...found.keys(), ...uses.keys()]);
  for (const attribute of described) if (isDescribed(attribute)) names.add(attribute.id);
  return [...names].sort().map((name) => {
    const attribute = descriptions.get(name) ?? undescribed(name);
    return toSeenAttribute(attribute, { seen: found.get(name), use: uses.get(name), users: users.size });
  });
}

/** The attributes of a user as rules find them: the own field before one of `custom` with its name. */
function* attributesOf({ userID, environment, fields }: SeenUser): Generator<[name: string, value: unknown]> {
  const { custom = {}, ...own } = fields;
  const standard = { ...own, userID };
  for (const name of STANDARD) {
    const value = standard[name as keyof typeof standard];
    yield [name, value === undefined || value === "" ? custom[name] : value];
  }
  yield [ENVIRONMENT, environment];
  for (const [name, value] of Object.entries(custom)) {
    if (!STANDARD_NAMES.has(name) && name !== ENVIRONMENT && name !== "" && name.length <= MAX_NAME_LENGTH) yield [name, value];
  }
}

const unseen = (): Seen => ({ types: new Set(), users: 0, values: new Map(), lastTime: null });

function note(found: Map<string, Seen>, name: string, value: unknown, time: number): void {
  const type = typeOf(value);
  if (!type || value === "") return;
  let seen = found.get(name);
  if (!seen) {
    if (found.size >= MAX_CUSTOM + STANDARD.length + 1) return;
    seen = unseen();
    found.set(name, seen);
  }
  seen.types.add(type);
  seen.users += 1;
  seen.lastTime = Math.max(seen.lastTime ?? 0, time);
  for (const text of textsOf(value)) seen.values.set(text, (seen.values.get(text) ?? 0) + 1);
}

function typeOf(value: unknown): ValueType | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return "list";
  return TYPES.find((type) => type === typeof value);
}

/** The value as text, or the items of a list. An object has none. */
function textsOf(value: unknown): Set<string> {
  const items = Array.isArray(value) ? value.slice(0, MAX_ITEMS) : [value];
  return new Set(items.filter((item) => item !== null && typeof item !== "object").map(String));
}

type Learned = { seen: Seen | undefined; use: AttributeUse | undefined; users: number };

function toSeenAttribute(attribute: Attribute, { seen, use, users }: Learned): SeenAttribute {
  const share = (count: number) => (users === 0 ? 0 : count / users);
  const isShown = !attribute.isHidden && !isPersonal(attribute.id);
  return {
    ...attribute,
    kind: kindOf(attribute.id),
    types: TYPES.filter((type) => seen?.types.has(type)),
    userShare: users === 0 ? null : share(seen?.users ?? 0),
    distinctValues: seen?.values.size ?? 0,
    values: isShown ? frequentValues(seen, use).map(({ value, count, rules }) => ({ value, userShare: share(count), rules })) : [],
    rules: use?.rules ?? 0,
    lastSeenTime: seen?.lastTime ?? null,
  };
}

function kindOf(name: string): SeenAttribute["kind"] {
  if (name === ENVIRONMENT) return "environment";
  return STANDARD_NAMES.has(name) ? "standard" : "custom";
}

function frequentValues(seen: Seen | undefined, use: AttributeUse | undefined) {
  const common = [...(seen?.values ?? [])].filter(
    ([value, count]) => count >= MIN_USERS && value !== "" && value.length <= MAX_VALUE_LENGTH,
  );
  const counts = new Map(common);
  const values = new Set([...counts.keys(), ...(use?.values.keys() ?? [])]);
  return [...values]
    .map((value) => ({ value, count: counts.get(value) ?? 0, rules: use?.values.get(value) ?? 0 }))
    .sort((a, b) => b.count - a.count || b.rules - a.rules || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_VALUES);
}
