import { hostileSource, named } from "../support/hostile.ts";
import { CUSTOMER, type KindTest, QUERY, SOURCE, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) => named((await api.createQualifyingEvent({ body: hostileSource })).data),
  flow: {
    name: "checkout",
    id: "checkout",
    fields: [["Query", QUERY], ["Time column", "at"], CUSTOMER],
    read: (api, name) => api.getQualifyingEvent({ path: { name } }),
    created: { ...SOURCE, description: "", timestampColumn: "at" },
    theirs: (api, name) => api.updateQualifyingEvent({ path: { name }, body: { ...SOURCE, ...THEIRS, timestampColumn: "at" } }),
  },
} satisfies KindTest;
