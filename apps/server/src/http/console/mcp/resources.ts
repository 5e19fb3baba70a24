import type { ReadableType } from "./entity-types.ts";
import { answerOf, type ToolEnv } from "./tool.ts";

/** A resource that was read, as the protocol has it. */
type Contents = { uri: string; mimeType: string; text: string };

/** A resource that does not exist, or that the caller cannot read. */
export class UnreadableResource extends Error {}

/** The most values that the protocol allows for a completion. */
const MAX_COMPLETIONS = 100;

const MARKDOWN = "text/markdown";
const JSON_TYPE = "application/json";

/** Resources: entities of these types, and pages of the documentation. */
export function createResources(types: readonly ReadableType[]) {
  const byPlural = new Map(types.map((one) => [one.plural, one]));

  return {
    /** The pages of the documentation. Entities have templates, since a project can have very many. */
    async list({ docs }: ToolEnv) {
      const pages = await docs.list();
      return pages.map(({ path, title, description }) => ({
        uri: `gatehouse://docs/${path}`,
        name: path,
        title,
        description,
        mimeType: MARKDOWN,
      }));
    },

    templates: types.map(({ type, plural, parameter }) => ({
      uriTemplate: `gatehouse://${plural}/{${parameter}}`,
      name: type,
      title: type.replaceAll("_", " "),
      description: `The ${type.replaceAll("_", " ")} with this ${parameter}, as JSON.`,
      mimeType: JSON_TYPE,
    })),

    /** @throws UnreadableResource */
    async read(uri: string, env: ToolEnv): Promise<Contents> {
      const [, kind = "", name = ""] = /^gatehouse:\/\/([a-z_]+)\/(.+)$/s.exec(uri) ?? [];
      if (kind === "docs") {
        const page = await env.docs.find(name);
        if (page) return { uri, mimeType: MARKDOWN, text: page.text };
      }
      const found = byPlural.get(kind);
      if (!found) throw new UnreadableResource(`The resource ${uri} does not exist.`);
      const { status, text } = await answerOf(found.get, { path: { [found.parameter]: decode(name) } }, env);
      if (status >= 400) throw new UnreadableResource((JSON.parse(text) as { message: string }).message);
      return { uri, mimeType: JSON_TYPE, text };
    },

    /** The IDs of entities that match a text, for a template. */
    async complete(uriTemplate: string, search: string, env: ToolEnv): Promise<string[]> {
      const found = byPlural.get(/^gatehouse:\/\/([a-z_]+)\//.exec(uriTemplate)?.[1] ?? "");
      return found ? completionsOf(found, search, env) : [];
    },

    /** The IDs of entities of a type that match a text. */
    completeType: (type: string, search: string, env: ToolEnv): Promise<string[]> =>
      completionsOf(types.find((one) => one.type === type) as ReadableType, search, env),
  };
}

async function completionsOf({ list, parameter, isSearchable }: ReadableType, search: string, env: ToolEnv): Promise<string[]> {
  const text = search.trim().slice(0, MAX_COMPLETIONS);
  const query = { limit: MAX_COMPLETIONS, ...(isSearchable && text !== "" && { search: text }) };
  const answer = await answerOf(list, { query }, env);
  if (answer.status >= 400) return [];
  const { data } = JSON.parse(answer.text) as { data: Record<string, unknown>[] };
  return data.map((one) => String(one[parameter])).filter((id) => isSearchable || id.startsWith(text));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
