import { TEXT } from "../support/hostile.ts";
import type { KindTest } from "../support/kind.ts";

export default {
  createHostile: async (api) => {
    const { id } = (await api.createKey({ body: { type: "SERVER", description: TEXT } })).data;
    return { id, title: TEXT };
  },
  flow: null,
} satisfies KindTest;
