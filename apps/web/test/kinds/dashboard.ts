import { LETTERS, MARKUP, TEXT, titled } from "../support/hostile.ts";
import { type KindTest, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) =>
    titled(
      (
        await api.createDashboard({
          body: { name: LETTERS, description: TEXT, widgets: [{ type: "text", title: MARKUP, text: TEXT }] },
        })
      ).data,
    ),
  flow: {
    name: "Checkout health",
    id: "checkout_health",
    read: (api, id) => api.getDashboard({ path: { id } }),
    created: { description: "", widgets: [] },
    theirs: (api, id) => api.patchDashboard({ path: { id }, body: THEIRS }),
  },
} satisfies KindTest;
