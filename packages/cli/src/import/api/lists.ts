import { CliError } from "../../cli-error.ts";
import { isObject, type Note } from "../flags.ts";
import { type ApiRequest, send } from "./request.ts";

type Json = { [name: string]: unknown };

/** Most pages of one list that are read. */
export const MAX_PAGES = 1000;

export async function readJson(url: URL, request: ApiRequest): Promise<{ body: Json; headers: Headers }> {
  const { text, headers } = await send(url, request);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new CliError(`${url.origin}${url.pathname} responded with something that is not JSON.`);
  }
  if (!isObject(body)) throw new CliError(`${url.origin}${url.pathname} responded with JSON that is not an object.`);
  return { body, headers };
}

type ListPage = {
  items: unknown[];
  /** The address of the next page. Undefined on the last one. */
  next: URL | undefined;
  /** The number of items on all pages, as the system counts them. */
  total: number | undefined;
};

type ListOf = {
  /** Name of the list, for notes. */
  name: string;
  first: URL;
  request: ApiRequest;
  readPage(body: Json, url: URL): ListPage;
  /** What identifies an item, which may be on two pages if the list changes meanwhile. */
  keyOf(item: Json): unknown;
};

/** All items of a list with pages. Adds a note if it has fewer than the system says. @throws CliError */
export async function readList({ name, first, request, readPage, keyOf }: ListOf, notes: Note[]): Promise<Json[]> {
  const found = new Map<unknown, Json>();
  let expected = 0;
  let url: URL | undefined = first;
  for (let count = 0; url !== undefined; count++) {
    if (count === MAX_PAGES) throw new CliError(`${first.host} has more than ${MAX_PAGES} pages of ${name}.`);
    const { items, next, total }: ListPage = readPage((await readJson(url, request)).body, url);
    for (const item of items) if (isObject(item)) found.set(keyOf(item), item);
    expected = total ?? 0;
    url = items.length === 0 ? undefined : next;
  }
  if (found.size < expected)
    notes.push({
      flag: name,
      message: `are incomplete: ${found.size} of ${expected} were read. They may have changed during the import. Run it again.`,
    });
  return [...found.values()];
}

/** The list in a property of a response. @throws CliError without it */
export function listIn(body: Json, name: string, url: URL): unknown[] {
  const list = body[name];
  if (Array.isArray(list)) return list;
  throw new CliError(`${url.origin}${url.pathname} responded without a list of ${name}.`);
}

/** The number in a property, if it is one. */
export const countIn = (body: unknown, name: string): number | undefined =>
  isObject(body) && typeof body[name] === "number" ? body[name] : undefined;

/** The address with these parameters. Single values replace the one with the same name. */
export function withQuery(url: URL, query: { [name: string]: string | number | readonly string[] | undefined }): URL {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value !== "object") changed.searchParams.set(name, String(value));
    else for (const one of value) changed.searchParams.append(name, one);
  }
  return changed;
}
