import { withoutURN } from "./parse-filter.ts";

/** The parameters that choose attributes of a response. */
export type Selection = { attributes?: string | undefined; excludedAttributes?: string | undefined };

/** Attributes that every response has. */
const ALWAYS = ["schemas", "id"];

type Resource = { schemas: string[]; id: string };

/** The resource with the attributes that the request asks for. */
export function project<R extends Resource>(resource: R, { attributes, excludedAttributes }: Selection): R {
  if (attributes !== undefined) {
    const wanted = toNames(attributes);
    return pick(resource, (name) => ALWAYS.includes(name) || wanted.some((one) => covers(one, name) || covers(name, one)), wanted);
  }
  if (excludedAttributes === undefined) return resource;
  const unwanted = toNames(excludedAttributes);
  const kept = Object.entries(resource).filter(([name]) => ALWAYS.includes(name) || !unwanted.includes(name.toLowerCase()));
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutParts(name, value, unwanted)])) as R;
}

/** Whether the response has an attribute. If not, it need not be read. */
export function isSelected(attribute: string, { attributes, excludedAttributes }: Selection): boolean {
  if (attributes !== undefined) return toNames(attributes).some((one) => covers(attribute, one));
  return excludedAttributes === undefined || !toNames(excludedAttributes).includes(attribute);
}

function pick<R extends Resource>(resource: R, isWanted: (name: string) => boolean, wanted: string[]): R {
  const kept = Object.entries(resource).filter(([name]) => isWanted(name.toLowerCase()));
  return Object.fromEntries(kept.map(([name, value]) => [name, onlyParts(name.toLowerCase(), value, wanted)])) as R;
}

/** The wanted parts of a value, unless the whole value is wanted. */
function onlyParts(name: string, value: unknown, wanted: string[]): unknown {
  if (ALWAYS.includes(name) || wanted.includes(name)) return value;
  return filterParts(value, (part) => wanted.includes(`${name}.${part}`));
}

function withoutParts(name: string, value: unknown, unwanted: string[]): unknown {
  const prefix = `${name.toLowerCase()}.`;
  return unwanted.some((one) => one.startsWith(prefix)) ? filterParts(value, (part) => !unwanted.includes(prefix + part)) : value;
}

function filterParts(value: unknown, isKept: (part: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => filterParts(one, isKept));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([part]) => isKept(part.toLowerCase())));
}

/** Whether `name` is the attribute or a part of it. */
function covers(attribute: string, name: string): boolean {
  return name === attribute || name.startsWith(`${attribute}.`);
}

function toNames(list: string): string[] {
  return list.split(",").map((name) => withoutURN(name.trim()).toLowerCase());
}
