import { hostileSource, named } from "../support/hostile.ts";
import { CUSTOMER, type KindTest, QUERY, SOURCE, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) => named((await api.createEntityPropertySource({ body: hostileSource })).data),
  flow: {
    name: "shop",
    id: "shop",
    fields: [["Query", QUERY], CUSTOMER],
    read: (api, name) => api.getEntityPropertySource({ path: { name } }),
    created: { ...SOURCE, description: "", timestampColumn: "" },
    theirs: (api, name) => api.patchEntityPropertySource({ path: { name }, body: THEIRS }),
  },
} satisfies KindTest;
