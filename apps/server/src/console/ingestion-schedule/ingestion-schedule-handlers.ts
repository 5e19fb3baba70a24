import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { requireDataset } from "../ingestion/ingestion-input.ts";
import type { Env } from "../stores.ts";
import { changeSchedule, toSchedule } from "./ingestion-schedule.ts";

export const ingestionScheduleHandlers = {
  async getIngestionSchedule({ query, stores }) {
    const data = toSchedule(await stores.ingestionSchedules.get(), query.dataset);
    return { status: 200, body: { message: "Ingestion schedule read successfully.", data } };
  },

  async updateIngestionSchedule({ body, stores }) {
    const dataset = requireDataset(body.dataset);
    const before = await stores.ingestionSchedules.get();
    const after = await stores.ingestionSchedules.replace(before, changeSchedule(before, dataset, body.scheduled_hour_pst));
    return { status: 200, body: { message: "Ingestion schedule updated successfully.", data: toSchedule(after, dataset) } };
  },
} satisfies Partial<Handlers<operations, Env>>;
