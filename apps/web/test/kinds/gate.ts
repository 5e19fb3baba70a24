import { hostileRules, LETTERS, TEXT, titled } from "../support/hostile.ts";
import { type KindTest, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) => titled((await api.createGate({ body: { name: LETTERS, description: TEXT, rules: hostileRules } })).data),
  flow: {
    name: "New Checkout",
    id: "new_checkout",
    read: (api, id) => api.getGate({ path: { id } }),
    created: { description: "", rules: [], tags: [] },
    theirs: (api, id) => api.patchGate({ path: { id }, body: { ...THEIRS, tags: ["theirs"] } }),
    merged: { description: "Mine", tags: ["theirs"], version: 3 },
  },
} satisfies KindTest;
