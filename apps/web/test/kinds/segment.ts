import { rule } from "../support/gates.ts";
import { hostileRules, LETTERS, TEXT, titled } from "../support/hostile.ts";
import type { KindTest } from "../support/kind.ts";

export default {
  createHostile: async (api) =>
    titled(
      (await api.createSegment({ body: { name: LETTERS, description: TEXT, type: "rule_based", rules: hostileRules } as never })).data,
    ),
  flow: {
    name: "Staff",
    id: "Staff",
    read: (api, id) => api.getSegment({ path: { id } }),
    created: { type: "rule_based", rules: [] },
    tab: null,
    edit: (page) => page.getByRole("button", { name: "Add rule" }).click(),
    field: "Rules",
    theirs: (api, id) => api.updateSegmentRules({ path: { id }, body: { rules: [rule("Theirs")] } }),
    merged: { rules: [{ name: "New rule" }] },
  },
} satisfies KindTest;
