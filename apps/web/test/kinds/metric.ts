import { LONG, MARKUP, REVERSED, TEXT, titled } from "../support/hostile.ts";
import { type KindTest, THEIRS } from "../support/kind.ts";

export default {
  createHostile: async (api) => {
    const criteria = [{ type: "metadata" as const, column: MARKUP, condition: "in" as const, values: [MARKUP, REVERSED, LONG] }];
    const metricEvents = [{ name: MARKUP.slice(0, 128), criteria }];
    return titled((await api.createMetric({ body: { name: "M".repeat(200), type: "event_user", description: TEXT, metricEvents } })).data);
  },
  flow: {
    name: "Buyers",
    id: "Buyers::event_user",
    fields: [["Event", "bought"]],
    row: "Units with an event",
    read: (api, id) => api.getMetric({ path: { id } }),
    created: { description: "", directionality: "increase", metricEvents: [{ name: "bought", type: "count" }] },
    theirs: (api, id) => api.updateMetric({ path: { id }, body: { ...THEIRS, directionality: "decrease" } }),
    merged: { description: "Mine", directionality: "decrease" },
  },
} satisfies KindTest;
