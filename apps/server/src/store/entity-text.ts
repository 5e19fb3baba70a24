/** The text that each entity was read from, for as long as the entity is in use. */
const texts = new WeakMap<object, string>();

/** An entity from the text that is kept of it. It must not be changed in place: a changed one is a new object. */
export function fromText<E extends object>(text: string): E {
  const entity: E = JSON.parse(text);
  texts.set(entity, text);
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
