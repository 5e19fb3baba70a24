import { LETTERS, LONG, MARKUP, NAME, TEXT, titled } from "../support/hostile.ts";
import { type KindTest, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) => {
    const variants = [NAME, `${NAME.slice(0, 90)} other`].map((name, index) => ({ id: `v${index}`, name, json: { [MARKUP]: LONG } }));
    const windows = { explorationWindow: "24hr", attributionWindow: "1hr", winnerThreshold: "95%" } as const;
    const body = { name: LETTERS, description: TEXT, variants, successEvent: MARKUP, ...windows };
    return titled((await api.createAutotune({ body })).data);
  },
  flow: {
    name: "Best button",
    id: "best_button",
    fields: [["Outcome", "purchase"]],
    row: "Not started",
    read: (api, id) => api.getAutotune({ path: { id } }),
    created: { description: "", successEvent: "purchase" },
    theirs: (api, id) => api.patchAutotune({ path: { id }, body: THEIRS }),
  },
} satisfies KindTest;
