import { hostileRules, NAME, titled } from "../support/hostile.ts";
import type { KindTest } from "../support/kind.ts";

const HOUR_MS = 3_600_000;

export default {
  async createHostile(api) {
    const rules = hostileRules.map(({ passPercentage: _, ...rule }) => rule);
    const phase = { name: NAME, timeIntervalMs: HOUR_MS, requiredReview: true, rules };
    return titled((await api.createReleasePipeline({ body: { name: NAME, phases: [phase] } })).data);
  },
  flow: {
    name: "Staff first",
    read: (api, id) => api.getReleasePipeline({ path: { id } }),
    created: { name: "Staff first", phases: [{ name: "First phase", timeIntervalMs: 24 * HOUR_MS, requiredReview: false, rules: [] }] },
    tab: null,
    async edit(page) {
      await page.getByRole("button", { name: "Edit First phase" }).click();
      await page.getByLabel("Duration", { exact: true }).fill("2");
    },
    field: "Phases",
    async theirs(api, id) {
      const { phases } = (await api.getReleasePipeline({ path: { id } })).data;
      const changed = phases.map((phase) => ({ ...phase, timeIntervalMs: HOUR_MS, requiredReview: true }));
      await api.updateReleasePipeline({ path: { id }, body: { phases: changed } });
    },
    merged: { phases: [{ timeIntervalMs: 48 * HOUR_MS, requiredReview: true }] },
  },
} satisfies KindTest;
