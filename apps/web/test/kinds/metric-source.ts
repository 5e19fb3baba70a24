import { hostileSource, LONG, MARKUP, named } from "../support/hostile.ts";
import { CUSTOMER, type KindTest, QUERY, SOURCE, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) => {
    const customFieldMapping = [{ key: MARKUP, formula: LONG }];
    return named((await api.createMetricSource({ body: { ...hostileSource, customFieldMapping } })).data);
  },
  flow: {
    name: "orders",
    id: "orders",
    fields: [["Query", QUERY], ["Time column", "created_at"], CUSTOMER],
    row: "userID",
    read: (api, name) => api.getMetricSource({ path: { name } }),
    created: { ...SOURCE, description: "", timestampColumn: "created_at" },
    tab: null,
    edit: (page) => page.getByLabel("Time column").fill("paid_at"),
    field: "Time column",
    theirs: (api, name) => api.updateMetricSource({ path: { name }, body: { ...SOURCE, ...THEIRS, timestampColumn: "sent_at" } }),
    merged: { description: "Theirs", timestampColumn: "paid_at" },
  },
} satisfies KindTest;
