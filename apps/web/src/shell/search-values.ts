// The state of pages in addresses. Invalid values are left out, so that no link breaks a page.
import { isDay } from "../ui/iso-time.ts";

type Search = Record<string, unknown>;

export function textIn(search: Search, name: string): string | undefined {
  const value = search[name];
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function listIn(search: Search, name: string): string[] | undefined {
  const value = search[name];
  const list = (Array.isArray(value) ? value : value === undefined ? [] : [value]).map(String).filter((one) => one !== "");
  return list.length > 0 ? list : undefined;
}

export function oneOf<Value extends string>(search: Search, name: string, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === search[name]);
}

export function numberIn(search: Search, name: string, { min, max }: { min: number; max: number }): number | undefined {
  const value = Number(search[name]);
  return search[name] !== undefined && Number.isInteger(value) && value >= min && value <= max ? value : undefined;
}

export function flagIn(search: Search, name: string): boolean | undefined {
  const value = search[name];
  return value === true || value === "true" ? true : value === false || value === "false" ? false : undefined;
}

/** Without undefined values, so that an address names only differences from the page's usual state. */
export function withoutAbsent<Values extends object>(values: Values): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

/** A day such as 2025-11-21, which is in UTC, so that a link means the same everywhere. */
export function dayIn(search: Search, name: string): string | undefined {
  const day = textIn(search, name);
  return day !== undefined && isDay(day) ? day : undefined;
}
