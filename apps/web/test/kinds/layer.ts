import { LETTERS, LONG, NAME, TEXT, titled } from "../support/hostile.ts";
import { type KindTest, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) => {
    const parameters = [{ name: NAME, type: "string" as const, defaultValue: LONG }];
    return titled((await api.createLayer({ body: { name: LETTERS, description: TEXT, idType: "userID", parameters } })).data);
  },
  flow: {
    name: "Checkout page",
    id: "checkout_page",
    read: (api, id) => api.getLayer({ path: { id } }),
    created: { description: "", idType: "userID", parameters: [] },
    theirs: (api, id) => api.patchLayer({ path: { id }, body: THEIRS }),
  },
} satisfies KindTest;
