import { LRUCache } from "lru-cache";

/** The text that each entity was read from, referenced weakly. */
const texts = new WeakMap<object, string>();

let isFreezing = false;

/** Freezes entities from now on, so that changing one in place throws. For tests only, since it makes reads slower. */
export function freezeWhatIsRead(): void {
  isFreezing = true;
}

/** Marks an entity as read. It must not be changed in place: others share it, and the change would be lost silently. */
export function asRead<E>(entity: E): E {
  return isFreezing ? deepFreeze(entity) : entity;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}

/**
 * A cache of recently read entities by their texts, since lists read the same ones repeatedly. Bounded by the characters of the texts; the
 * objects take about four times as many bytes.
 */
const recent = new LRUCache<string, object>({ maxSize: 4_000_000, sizeCalculation: (_entity, text) => text.length + 1 });

/**
 * Parses the stored text of an entity. Everyone who reads the same text gets the same object, so it must not be changed in place.
 */
export function fromText<E extends object>(text: string): E {
  const known = recent.get(text);
  if (known !== undefined) return known as E;
  const entity: E = asRead(JSON.parse(text));
  texts.set(entity, text);
  recent.set(text, entity);
  return entity;
}

/** The JSON text of an entity. For an entity that was read, this is the stored text. */
export function toText(entity: object): string {
  let text = texts.get(entity);
  if (text === undefined) {
    text = JSON.stringify(entity);
    texts.set(entity, text);
  }
  return text;
}

/**
 * A copy of an entity with another number in a field. Its text is the original text with the number replaced, unless a nested field has the
 * same name.
 */
export function withNumber<E extends object, Name extends keyof E & string>(entity: E, name: Name, value: number): E {
  const changed = { ...entity, [name]: value };
  const text = texts.get(entity);
  const label = `${JSON.stringify(name)}:`;
  const [before, after, another] = text?.split(label, 3) ?? [];
  if (before === undefined || after === undefined || another !== undefined) return changed;
  texts.set(changed, `${before}${label}${value}${after.replace(/^[^,}]*/, "")}`);
  return changed;
}
