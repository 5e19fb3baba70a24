import { LETTERS, LONG, MARKUP, NAME, TEXT, titled } from "../support/hostile.ts";
import type { KindTest } from "../support/kind.ts";

export default {
  createHostile: async (api) => {
    const groups = [
      { name: NAME, size: 50, parameterValues: { [MARKUP]: LONG } },
      { name: `${NAME.slice(0, 90)} other`, size: 50 },
    ];
    return titled((await api.createExperiment({ body: { name: LETTERS, description: TEXT, hypothesis: TEXT, groups } })).data);
  },
  flow: {
    name: "Button color",
    id: "button_color",
    read: (api, id) => api.getExperiment({ path: { id } }),
    created: { status: "setup", hypothesis: "", allocation: 100 },
    tab: null,
    edit: (page) => page.getByRole("textbox", { name: "Hypothesis" }).fill("Mine"),
    field: "Hypothesis",
    theirs: (api, id) => api.patchExperiment({ path: { id }, body: { hypothesis: "Theirs", allocation: 50 } }),
    merged: { hypothesis: "Mine", allocation: 50 },
  },
} satisfies KindTest;
