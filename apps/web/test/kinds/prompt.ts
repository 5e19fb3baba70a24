import { LETTERS, TEXT } from "../support/hostile.ts";
import type { KindTest } from "../support/kind.ts";

export default {
  createHostile: async (api) => {
    const { id, displayName } = (await api.createPrompt({ body: { name: LETTERS, description: TEXT } })).data;
    return { id, title: displayName };
  },
  flow: null,
} satisfies KindTest;
