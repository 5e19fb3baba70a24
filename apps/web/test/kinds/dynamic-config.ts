import { typeJson5 } from "../support/editors.ts";
import { hostileRules, LETTERS, LONG, MARKUP, TEXT, titled } from "../support/hostile.ts";
import { type KindTest, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) => {
    const body = {
      name: LETTERS,
      description: TEXT,
      defaultValue: { [MARKUP]: LONG },
      rules: [{ ...hostileRules[0], returnValue: { a: MARKUP } }],
    };
    return titled((await api.createDynamicConfig({ body: body as never })).data);
  },
  flow: {
    name: "checkout",
    id: "checkout",
    read: (api, id) => api.getDynamicConfig({ path: { id } }),
    created: { description: "", defaultValue: {}, rules: [] },
    tab: null,
    edit: (page) => typeJson5(page, "Default value", "{ timeout: 2 }"),
    field: "Default value",
    theirs: (api, id) => api.patchDynamicConfig({ path: { id }, body: { ...THEIRS, defaultValue: { timeout: 3 } } }),
    merged: { description: "Theirs", defaultValue: { timeout: 2 }, version: 3 },
  },
} satisfies KindTest;
