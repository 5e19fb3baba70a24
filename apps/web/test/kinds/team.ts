import { NAME, TEXT, titled } from "../support/hostile.ts";
import { type KindTest, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) => titled((await api.createTeam({ body: { name: NAME, description: TEXT } })).data),
  flow: {
    name: "Payments",
    read: (api, id) => api.getTeam({ path: { id } }),
    created: { name: "Payments", description: "", members: [], admins: [] },
    tab: null,
    theirs: (api, id) => api.patchTeam({ path: { id }, body: THEIRS }),
  },
} satisfies KindTest;
