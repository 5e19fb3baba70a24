import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { SchemaEnv } from "../stores.ts";
import { addVersion, changePrompt, newPrompt, removeVersion, requireSchemas, restorePrompt } from "./prompt.ts";

export const promptHandlers = {
  listPromptVersions: listVersions("listPromptVersions", "Prompt", (stores) => stores.prompts),
  restorePromptVersion: restoreVersion("Prompt", (stores) => stores.prompts, {
    restore: restorePrompt,
  }),

  async listPrompts({ query, stores }) {
    const { data, total } = await stores.prompts.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/prompts", query, total);
    return { status: 200, body: { message: "Prompts listed successfully.", data, pagination } };
  },

  async createPrompt({ body, context, stores, checkSchema }) {
    const data = await stores.prompts.create(await requireSchemas(newPrompt(body, context), checkSchema));
    return { status: 200, body: { message: "Prompt created successfully.", data } };
  },

  async getPrompt({ path, stores }) {
    const data = await stores.prompts.get(path.id);
    return { status: 200, body: { message: "Prompt read successfully.", data } };
  },

  async patchPrompt({ path, body, context, stores, checkSchema }) {
    const prompt = await stores.prompts.get(path.id);
    const changed = changePrompt(prompt, body, context);
    const data = await stores.prompts.replace(prompt, body.evaluation ? await requireSchemas(changed, checkSchema) : changed);
    return { status: 200, body: { message: "Prompt updated successfully.", data } };
  },

  async createPromptVersion({ path, body, context, stores }) {
    const before = await stores.prompts.get(path.id);
    const { prompt, version } = addVersion(before, body, context);
    await stores.prompts.replace(before, prompt);
    return { status: 201, body: { message: "Prompt version created successfully.", data: version } };
  },

  async deletePromptVersion({ path, context, stores }) {
    const prompt = await stores.prompts.get(path.id);
    const data = await stores.prompts.replace(prompt, removeVersion(prompt, path.versionID, context));
    return { status: 200, body: { message: "Prompt version deleted successfully.", data } };
  },
} satisfies Partial<Handlers<operations, SchemaEnv>>;
