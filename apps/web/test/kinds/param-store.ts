import { LONG, NAME, named, TEXT } from "../support/hostile.ts";
import { type KindTest, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) => {
    const parameters = [{ name: NAME, ref_type: "static" as const, param_type: "string" as const, value: LONG }];
    return named((await api.createParamStore({ body: { name: NAME, description: TEXT, parameters } })).data);
  },
  flow: {
    name: "checkout / page",
    id: "checkout / page",
    read: (api, name) => api.getParamStore({ path: { name } }),
    created: { description: "", parameters: [] },
    theirs: (api, name) => api.updateParamStore({ path: { name }, body: THEIRS }),
  },
} satisfies KindTest;
