import { hostileSource, LONG, MARKUP, named, REVERSED } from "../support/hostile.ts";
import { CUSTOMER, type KindTest, QUERY, SOURCE, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) => {
    const columns = { experimentIDColumn: REVERSED, groupIDColumn: LONG, groupNameColumn: MARKUP };
    return named((await api.createAssignmentSource({ body: { ...hostileSource, ...columns } })).data);
  },
  flow: {
    name: "shop",
    id: "shop",
    fields: [["Query", QUERY], ["Time column", "shown_at"], ["Experiment column", "experiment"], ["Group column", "variant"], CUSTOMER],
    read: (api, name) => api.getAssignmentSource({ path: { name } }),
    created: { ...SOURCE, description: "", timestampColumn: "shown_at", experimentIDColumn: "experiment", groupIDColumn: "variant" },
    theirs: (api, name) => api.patchAssignmentSource({ path: { name }, body: THEIRS }),
  },
} satisfies KindTest;
