import { NAME, TEXT, titled } from "../support/hostile.ts";
import type { KindTest } from "../support/kind.ts";

export default {
  createHostile: async (api) =>
    titled((await api.createWebhook({ body: { name: NAME, description: TEXT, url: "https://hooks.example.com/gatehouse" } })).data),
  flow: null,
} satisfies KindTest;
