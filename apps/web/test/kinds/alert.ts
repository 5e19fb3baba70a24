import { choose, find } from "../support/gates.ts";
import { LETTERS, MARKUP, TEXT } from "../support/hostile.ts";
import type { KindTest } from "../support/kind.ts";

export default {
  createHostile: async (api) => {
    const watched = { metrics: { A: { id: `${MARKUP}${"M".repeat(150)}` } }, condition: "greater", alertThreshold: 1e15 } as const;
    const body = { name: LETTERS, message: TEXT, alertType: "threshold", ...watched, windowMs: 300_000, priority: "P3" } as const;
    const { id, name = id } = (await api.createAlert({ body })).data;
    return { id, title: name };
  },
  flow: {
    name: "Low revenue",
    id: "low_revenue",
    prepare: (api) => api.createMetric({ body: { name: "Revenue", type: "sum", metricEvents: [{ name: "buy", type: "value" }] } }),
    async complete(page, dialog) {
      await find(page, dialog.getByRole("combobox", { name: "Metric" }), "Revenue");
      await choose(page, dialog.getByRole("button", { name: /Alert when it’s/ }), "less than");
      await dialog.getByLabel("Alert threshold").fill("2.5");
      await page.keyboard.press("Tab");
    },
    read: (api, id) => api.getAlert({ path: { id } }),
    created: {
      alertType: "threshold",
      metrics: { A: { id: "Revenue::sum" } },
      condition: "less",
      alertThreshold: 2.5,
      windowMs: 3_600_000,
    },
    row: "value less than 2.5 over 1 hour",
    loss: "its events are deleted",
    edit: (page) => page.getByLabel("Message").fill("Mine"),
    field: "Message",
    theirs: (api, id) => api.patchAlert({ path: { id }, body: { message: "Theirs", alertThreshold: 3 } }),
    merged: { message: "Mine", alertThreshold: 3 },
  },
} satisfies KindTest;
