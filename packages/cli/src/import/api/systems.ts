import { parse } from "yaml";
import { CliError } from "../../cli-error.ts";
import { isObject, type Note } from "../flags.ts";
import { countIn, listIn, MAX_PAGES, readJson, readList, withQuery } from "./lists.ts";
import { send } from "./request.ts";

/** What to read, and with which token. */
type ApiSource = {
  base: URL;
  token: string | undefined;
  project: string | undefined;
  environments: readonly string[];
  notes: Note[];
};

export type ApiOption = "project" | "environment";
export type ApiSystem = {
  /** The environment variable that has the token, unless another one is named. */
  tokenVariable: string;
  needsToken: boolean;
  /** The options that have an effect, and whether they are required. */
  options: { [option in ApiOption]?: "required" | "optional" };
  /** Reads what the system's importer takes. @throws CliError */
  read(source: ApiSource): Promise<unknown>;
};

const PAGE_SIZE = 100;

/** The address of an operation, below the path that the base may have. */
function at(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
  return url;
}

const flagd: ApiSystem = {
  ...{ tokenVariable: "FLAGD_TOKEN", needsToken: false, options: {} },
  async read({ base, token }) {
    const { text } = await send(base, { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
    try {
      return parse(text);
    } catch (error) {
      throw new CliError(`${base.origin}${base.pathname} has neither JSON nor YAML: ${(error as Error).message}`);
    }
  },
};

const flagsmith: ApiSystem = {
  ...{ tokenVariable: "FLAGSMITH_TOKEN", needsToken: true, options: {} },
  /** The first page has the whole document, and later ones have more values for single identities. */
  async read({ base, token = "", notes }) {
    const request = { headers: { "x-environment-key": token } };
    const first = at(base, "/api/v1/environment-document/");
    const { body: document, headers } = await readJson(first, request);
    const identities = isList(document.identity_overrides) ? [...document.identity_overrides] : [];
    const seen = new Set<string>();
    for (let link = headers.get("link"); link !== null; ) {
      const [, page] = /[?&]page_id=([^&>]+)[^>]*>\s*;\s*rel="?next"?/.exec(link) ?? [];
      if (page === undefined) break;
      if (seen.has(page) || seen.size === MAX_PAGES) {
        const reason = seen.has(page) ? "the server sent the same page again" : `there are more than ${MAX_PAGES} further pages`;
        notes.push({ flag: "identity overrides", message: `are incomplete: ${identities.length} were read, because ${reason}.` });
        break;
      }
      seen.add(page);
      const next = await readJson(withQuery(first, { page_id: decodeURIComponent(page) }), request);
      if (isList(next.body.identity_overrides)) identities.push(...next.body.identity_overrides);
      link = next.headers.get("link");
    }
    return { ...document, identity_overrides: identities };
  },
};

const growthbook: ApiSystem = {
  ...{ tokenVariable: "GROWTHBOOK_TOKEN", needsToken: true, options: { project: "optional" } },
  async read({ base, token = "", project, notes }) {
    const features = await readList(
      {
        name: "features",
        first: withQuery(at(base, "/api/v1/features"), { limit: PAGE_SIZE, offset: 0, projectId: project }),
        request: { headers: { authorization: `Bearer ${token}` } },
        readPage(body, url) {
          const next = countIn(body, "nextOffset");
          const isLast = body.hasMore !== true || next === undefined;
          return {
            items: listIn(body, "features", url),
            next: isLast ? undefined : withQuery(url, { offset: next }),
            total: countIn(body, "total"),
          };
        },
        keyOf: ({ id }) => id,
      },
      notes,
    );
    return { features };
  },
};

const launchdarkly: ApiSystem = {
  ...{ tokenVariable: "LAUNCHDARKLY_TOKEN", needsToken: true, options: { project: "required", environment: "required" } },
  async read({ base, token = "", project = "", environments, notes }) {
    const list = (name: string, path: string, query: object) =>
      readList(
        {
          name,
          first: withQuery(at(base, path), { ...query, limit: PAGE_SIZE, offset: 0 }),
          request: { headers: { authorization: token, "ld-api-version": "20240415" } },
          readPage(body, url) {
            const listed = listIn(body, "items", url);
            const total = countIn(body, "totalCount");
            const offset = Number(url.searchParams.get("offset")) + listed.length;
            const isLast = total === undefined ? listed.length < PAGE_SIZE : offset >= total;
            return { items: listed, next: isLast ? undefined : withQuery(url, { offset }), total };
          },
          keyOf: ({ key }) => key,
        },
        notes,
      );
    const items = await list("flags", `/api/v2/flags/${encodeURIComponent(project)}`, { summary: "0", env: environments });
    for (const environment of environments)
      if (items.length > 0 && !items.some((item) => isObject(item.environments) && environment in item.environments))
        throw new CliError(`The project ${project} has no flags in the environment ${environment}.`);
    const segments: { [environment: string]: unknown[] } = {};
    for (const environment of environments) {
      const path = `/api/v2/segments/${encodeURIComponent(project)}/${encodeURIComponent(environment)}`;
      segments[environment] = await list(`segments of ${environment}`, path, {});
    }
    return { items, segments };
  },
};

/** The lists that the importer takes, with their paths. */
const STATSIG_LISTS: { [name: string]: string } = {
  ...{ tags: "tags", target_apps: "target_app", segments: "segments", gates: "gates", dynamic_configs: "dynamic_configs" },
  ...{ holdouts: "holdouts", layers: "layers", experiments: "experiments" },
};

const statsig: ApiSystem = {
  ...{ tokenVariable: "STATSIG_TOKEN", needsToken: true, options: {} },
  async read({ base, token = "", notes }) {
    const lists: { [name: string]: unknown[] } = {};
    for (const [name, path] of Object.entries(STATSIG_LISTS))
      lists[name] = await readList(
        {
          name,
          first: withQuery(at(base, `/console/v1/${path}`), { limit: PAGE_SIZE, page: 1 }),
          request: { headers: { "statsig-api-key": token, "statsig-api-version": "20240601" } },
          readPage(body, url) {
            const { pagination } = body;
            const page = Number(url.searchParams.get("page"));
            // `nextPage` is the path of the next page, or null.
            const hasNext = isObject(pagination) && typeof pagination.nextPage === "string" && pagination.nextPage !== "";
            return {
              items: listIn(body, "data", url),
              next: hasNext ? withQuery(url, { page: page + 1 }) : undefined,
              total: countIn(pagination, "totalItems"),
            };
          },
          keyOf: ({ id, name: itemName }) => id ?? itemName,
        },
        notes,
      );
    return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
  },
};

const unleash: ApiSystem = {
  ...{ tokenVariable: "UNLEASH_TOKEN", needsToken: true, options: { project: "optional", environment: "required" } },
  /** The export has only IDs and names of segments. Another operation has their constraints. */
  async read({ base, token, project = "default", environments }) {
    const [environment, ...others] = environments;
    if (others.length > 0) throw new CliError("Unleash exports one environment at a time. Pass one with --environment.");
    const request = { headers: { authorization: token ?? "" } };
    const exported = at(base, "/api/admin/features-batch/export");
    const { body } = await readJson(exported, { ...request, method: "POST", body: { environment, project } });
    if (!isList(body.segments) || body.segments.length === 0) return body;
    const listed = at(base, "/api/admin/segments");
    const segments = listIn((await readJson(listed, request)).body, "segments", listed);
    const constraintsOf = new Map(segments.filter(isObject).map(({ id, constraints }) => [id, constraints]));
    return { ...body, segments: body.segments.filter(isObject).map((one) => ({ constraints: constraintsOf.get(one.id), ...one })) };
  },
};

const isList = (value: unknown): value is unknown[] => Array.isArray(value);

export const API_SYSTEMS: { [system: string]: ApiSystem } = { flagd, flagsmith, growthbook, launchdarkly, statsig, unleash };
