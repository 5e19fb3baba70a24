import { LETTERS, TEXT, titled } from "../support/hostile.ts";
import { type KindTest, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) => titled((await api.createHoldout({ body: { name: LETTERS, description: TEXT } })).data),
  flow: {
    name: "Nothing new",
    id: "nothing_new",
    read: (api, id) => api.getHoldout({ path: { id } }),
    created: { description: "", isGlobal: false },
    tab: null,
    async edit(page) {
      await page.getByLabel("Share of users held out").fill("3");
      await page.keyboard.press("Enter");
    },
    field: "Held-out share",
    theirs: (api, id) => api.patchHoldout({ path: { id }, body: { ...THEIRS, passPercentage: 2 } }),
    merged: { description: "Theirs", passPercentage: 3 },
  },
} satisfies KindTest;
