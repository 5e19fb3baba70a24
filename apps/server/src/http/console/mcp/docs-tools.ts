import { failure, jsonResult, textResult } from "./results.ts";
import type { Tool } from "./tool.ts";

const MAX_PAGES = 10;
const DEFAULT_PAGES = 5;

const searchDocs: Tool<{ query: string; limit?: number }> = {
  name: "search_docs",
  title: "Search the documentation",
  description: "Finds pages of the Gatehouse documentation: concepts, how to use each feature, statistics, SDKs, and operation.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, maxLength: 200 },
      limit: { type: "integer", minimum: 1, maximum: MAX_PAGES, description: `Maximum number of pages. Default: ${DEFAULT_PAGES}.` },
    },
    required: ["query"],
    additionalProperties: false,
  },
  isReadOnly: true,
  run: async ({ query, limit = DEFAULT_PAGES }, { docs }) => jsonResult({ pages: await docs.search(query, limit) }),
};

const readDocs: Tool<{ path: string }> = {
  name: "read_docs",
  title: "Read a page of the documentation",
  description: "Returns a page of the documentation as Markdown.",
  inputSchema: {
    type: "object",
    properties: { path: { type: "string", minLength: 1, maxLength: 200, description: "The path from search_docs, such as use/rollouts." } },
    required: ["path"],
    additionalProperties: false,
  },
  isReadOnly: true,
  async run({ path }, { docs }) {
    const page = await docs.find(path);
    return page ? textResult(page.text) : failure(`The documentation has no page ${path}. Use search_docs to find one.`);
  },
};

export const docsTools = [searchDocs, readDocs];
