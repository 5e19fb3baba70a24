import { LETTERS, MARKUP, REVERSED, TEXT, titled } from "../support/hostile.ts";
import { type KindTest, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) =>
    titled(
      (
        await api.createPromptDataset({
          body: { name: LETTERS, description: TEXT, rows: [{ input: { [MARKUP]: TEXT }, expected: REVERSED }] },
        })
      ).data,
    ),
  flow: {
    name: "Typical orders",
    id: "typical_orders",
    read: (api, id) => api.getPromptDataset({ path: { id } }),
    created: { description: "", rows: [] },
    theirs: (api, id) => api.patchPromptDataset({ path: { id }, body: THEIRS }),
  },
} satisfies KindTest;
