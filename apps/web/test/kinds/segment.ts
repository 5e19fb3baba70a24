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
    edit: async (page) => {
      await page.getByRole("button", { name: "Add rule" }).click();
      await page.getByRole("button", { name: "Everyone", exact: true }).click();
      await page.getByRole("tab", { name: "Details" }).click();
      await page.getByRole("textbox", { name: "Description" }).fill("Mine");
    },
    theirs: (api, id) => api.patchSegment({ path: { id }, body: { description: "Theirs", rules: [rule("Theirs")] } }),
    merged: { description: "Mine", rules: [{ name: "Theirs" }, { name: "New rule" }] },
  },
} satisfies KindTest;
