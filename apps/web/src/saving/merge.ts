// Three versions of an entity: the start of a draft, the draft, and someone else's later save. Pure.
import { equal } from "../targeting/equal.ts";
import { FOLLOWING } from "../targeting/team-fields.ts";
import { mergeOrders } from "./merge-orders.ts";

export type Choice = "mine" | "theirs";

/** Something that both changed, each to something else. */
export type Conflict<Values> = {
  /** Identifies it among the conflicts, and says where it is: `rules[Staff].passPercentage`. */
  path: string;
  part: keyof Values & string;
  /** The name of the item of a list; undefined for a whole part. */
  item?: string;
  /** The field of the item; undefined for a whole item, and for the order of the items. */
  field?: string;
  before: unknown;
  /** Undefined if the item was removed. */
  mine: unknown;
  theirs: unknown;
};

export type Choices = Readonly<Record<string, Choice>>;

/** The merged values, and the conflicts. Without a choice, theirs count. */
export type Merged<Values> = { values: Values; conflicts: Conflict<Values>[] };

type Json = unknown;
type Item = Readonly<Record<string, Json>>;
type Three = { base: Json; mine: Json; theirs: Json };
type Place = { path: string; item?: string; field?: string };
/** A conflict of an entity of any kind. */
export type Found = Omit<Conflict<object>, "part"> & { part: string };

/** A field that is merged by its text in another field. */
const TEXT_OF: Readonly<Record<string, string>> = { returnValue: "returnValueJson5" };

/**
 * Merges changes by one of the two, and finds parts that both changed. Lists whose items have an identity are merged item by item and field
 * by field, and lists of names as sets. So an item that one of them added is never lost.
 */
export function merge<Values extends object>(base: Values, mine: Values, theirs: Values, choices: Choices): Merged<Values> {
  const conflicts: Found[] = [];
  const sides = { base, mine, theirs } as Record<keyof Three, Item>;
  const values: Record<string, Json> = {};
  const parts = Object.keys(mine).map((part) => ({ part, leader: FOLLOWING[part] ?? part }));
  const follows = ({ part, leader }: (typeof parts)[number]) => part !== leader && !equal(sides.mine[leader], sides.theirs[leader]);
  for (const { part } of parts.filter((one) => !follows(one))) {
    const three = { base: sides.base[part], mine: sides.mine[part], theirs: sides.theirs[part] };
    values[part] = new Merging(part, choices, conflicts).value(three, { path: part });
  }
  for (const { part, leader } of parts.filter(follows))
    values[part] = (equal(values[leader], sides.theirs[leader]) ? sides.theirs : sides.mine)[part];
  return { values: values as Values, conflicts: conflicts as Conflict<Values>[] };
}

class Merging {
  readonly #part: string;
  readonly #choices: Choices;
  readonly #conflicts: Found[];

  constructor(part: string, choices: Choices, conflicts: Found[]) {
    this.#part = part;
    this.#choices = choices;
    this.#conflicts = conflicts;
  }

  value(three: Three, place: Place): Json {
    const { base, mine, theirs } = three;
    if (equal(mine, theirs) || equal(mine, base)) return theirs;
    if (equal(theirs, base)) return mine;
    if (areNames(base) && areNames(mine) && areNames(theirs)) return mergeNames(base, mine, theirs);
    const lists = [base, mine, theirs].map(toItems);
    const [old, own, other] = lists;
    return old && own && other ? this.#items(old, own, other, place) : this.#choose(three, place);
  }

  #choose({ base, mine, theirs }: Three, { path, ...place }: Place): Json {
    this.#conflicts.push({ path, part: this.#part, ...place, before: base, mine, theirs });
    return this.#choices[path] === "mine" ? mine : theirs;
  }

  #items(base: Items, mine: Items, theirs: Items, { path }: Place): Json[] {
    const keys = new Set([...theirs.keys(), ...mine.keys()]);
    const kept = new Map<string, Json>();
    for (const key of keys) {
      const name = findName(mine.get(key) ?? theirs.get(key) ?? base.get(key));
      const place = { path: `${path}[${name}]`, item: name };
      const item = this.#item({ base: base.get(key), mine: mine.get(key), theirs: theirs.get(key) }, place);
      if (item !== undefined) kept.set(key, item);
    }
    const [before, own, other] = [base, mine, theirs].map((items) => [...items.keys()].filter((key) => kept.has(key)));
    const orders = mergeOrders(before ?? [], own ?? [], other ?? []);
    const order = orders.merged ?? (this.#chooseOrder(orders, kept, path) as string[]);
    return order.map((key) => kept.get(key));
  }

  #chooseOrder({ mine, theirs }: { mine: string[]; theirs: string[] }, kept: ReadonlyMap<string, Json>, path: string): Json {
    const names = (keys: string[]) => keys.map((key) => findName(kept.get(key) as Item));
    const place = { path: `${path}[].order`, field: "order" };
    this.#conflicts.push({ part: this.#part, ...place, before: undefined, mine: names(mine), theirs: names(theirs) });
    return this.#choices[place.path] === "mine" ? mine : theirs;
  }

  #item(three: { base: Item | undefined; mine: Item | undefined; theirs: Item | undefined }, place: Place): Json {
    const { base = {}, mine, theirs } = three;
    if (mine === undefined || theirs === undefined) return this.value(three, place);
    const fields = new Set([...Object.keys(theirs), ...Object.keys(mine)]);
    const merged = [...fields].flatMap((field) => {
      if ((TEXT_OF[field] ?? "") !== "" && fields.has(TEXT_OF[field] ?? "")) return [];
      const given = { base: base[field], mine: mine[field], theirs: theirs[field] };
      const value = this.value(given, { ...place, path: `${place.path}.${field}`, field });
      return [[field, value] as const];
    });
    const result = Object.fromEntries(merged.filter(([, value]) => value !== undefined)) as Record<string, Json>;
    for (const [field, text] of Object.entries(TEXT_OF)) {
      if (!fields.has(field) || !fields.has(text)) continue;
      result[field] = equal(result[text], theirs[text]) ? theirs[field] : mine[field];
    }
    return result;
  }
}

type Items = ReadonlyMap<string, Item>;

const isItem = (value: Json): value is Item => typeof value === "object" && value !== null && !Array.isArray(value);
const areNames = (value: Json): value is (string | number)[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string" || typeof one === "number");

/** The additions and removals of one, applied to the list of the other. */
function mergeNames(base: Json[], mine: Json[], theirs: Json[]): Json[] {
  const kept = theirs.filter((name) => mine.includes(name) || !base.includes(name));
  return [...kept, ...mine.filter((name) => !base.includes(name) && !kept.includes(name))];
}

/** The items by their identities: an id, or else a name. Undefined if an item has none, or several have the same. */
function toItems(list: Json): Items | undefined {
  if (!Array.isArray(list)) return undefined;
  const entries = list.map((item: Json) => [isItem(item) ? identity(item) : undefined, item as Item] as const);
  const items = new Map(entries.flatMap(([key, item]) => (key === undefined ? [] : [[key, item] as const])));
  return items.size === list.length ? items : undefined;
}

const IDENTITIES = ["key", "id", "baseID", "name", "unit"] as const;

function identity(item: Item): string | undefined {
  const property = IDENTITIES.find((one) => typeof item[one] === "string" && item[one] !== "");
  return property && `${property} ${item[property]}`;
}

const findName = (item: Item | undefined): string =>
  String([item?.name, item?.id, item?.key, item?.unit].find((one) => typeof one === "string" && one !== "") ?? "");
