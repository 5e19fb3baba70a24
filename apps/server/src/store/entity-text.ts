import { LRUCache } from "lru-cache";

/** The text that each entity was read from, for as long as the entity is in use. */
const texts = new WeakMap<object, string>();

let isFreezing = false;

/** From here on, what is read throws where it is changed in place. Tests ask for it; it would cost each read too much. */
export function freezeWhatIsRead(): void {
  isFreezing = true;
}

/** An entity as it was read. It must not be changed in place: others share it, and the change would be lost without a word. */
export function asRead<E>(entity: E): E {
  return isFreezing ? deepFreeze(entity) : entity;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}

/**
 * Entities that were read lately, by their texts: lists read the same ones again and again. Bounded by the characters of their texts; the
 * objects take about four times as many bytes.
 */
const recent = new LRUCache<string, object>({ maxSize: 4_000_000, sizeCalculation: (_entity, text) => text.length + 1 });

/**
 * An entity from the text that is kept of it. It must not be changed in place: a changed one is a new object, and whoever reads the same text
 * gets the same one.
 */
export function fromText<E extends object>(text: string): E {
  const known = recent.get(text);
  if (known !== undefined) return known as E;
  const entity: E = asRead(JSON.parse(text));
  texts.set(entity, text);
  recent.set(text, entity);
  return entity;
}

/** The JSON text of an entity: the one it was read from, where there is one, without being made again. */
export function toText(entity: object): string {
  let text = texts.get(entity);
  if (text === undefined) {
    text = JSON.stringify(entity);
    texts.set(entity, text);
  }
  return text;
}

/**
 * An entity with another number in one of its fields. Its text is that of the entity with the number in its place, unless another field
 * within the entity has the same name.
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
