// JSON beyond JSON.stringify: references to created entities, raw text and duplicate members.

/** A placeholder for a created entity. `n` selects one of its kind when the request is sent. */
export class Ref {
  constructor(kind, n) {
    Object.assign(this, { kind, n });
  }
}

/** JSON text that is written unchanged. */
export class Raw {
  constructor(text) {
    this.text = text;
  }
}

/** An object that can have duplicate members, and members of any name, including `__proto__`. */
export class Members {
  constructor(pairs) {
    this.pairs = pairs;
  }
}

/** @param find resolves a reference */
export function toJSON(value, find) {
  if (value instanceof Raw) return value.text;
  if (value instanceof Ref) return JSON.stringify(find(value) ?? null);
  if (Array.isArray(value)) return `[${value.map((item) => toJSON(item, find)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  return `{${listMembers(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${toJSON(member, find)}`)
    .join(",")}}`;
}

/** The members of an object or of `Members`. */
export function listMembers(value) {
  return value instanceof Members ? value.pairs : Object.entries(value).filter(([, member]) => member !== undefined);
}

/** Whether a value has members. */
export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Raw) && !(value instanceof Ref);
}
