import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { invalid } from "../../common/errors.ts";
import { pageThrough } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { requireDays } from "./ingested-days.ts";
import { byDate, sumCounts, toDeltas, toStatuses } from "./ingestion-reports.ts";

const OF_EVENTS = { start: "start_date", end: "end_date" };
const OF_STATUSES = { start: "startDate", end: "endDate" };

export const reportHandlers = {
  async createDatabricksConnection({ stores }) {
    const { type } = await stores.warehouse.get();
    const present = type === null ? "" : `. The project is connected to ${type}`;
    const errorMessage = `names Databricks, which Gatehouse does not read. It reads postgres and clickhouse${present}`;
    throw invalid([{ property: "body", errorMessage }]);
  },

  async listIngestionEventCounts({ query, stores }) {
    const counts = sumCounts(await readCounts(query, stores));
    const url = "/console/v1/ingestion/events/count";
    const page = query.event_name === undefined ? pageThrough(url, query, byDate(counts)) : pageThrough(url, query, counts);
    return { status: 200, body: { message: "Event count read successfully.", ...page } };
  },

  async listIngestionEventDeltas({ query, stores }) {
    const deltas = toDeltas(await readCounts(query, stores));
    const url = "/console/v1/ingestion/events/delta";
    const page = query.event_name === undefined ? pageThrough(url, query, byDate(deltas)) : pageThrough(url, query, deltas);
    return { status: 200, body: { message: "Event delta read successfully.", ...page } };
  },

  async listIngestionStatuses({ query, stores: { ingestion } }) {
    const { startDate, endDate, source, dataset } = query;
    const days = await ingestion.listDays({
      ...requireDays(startDate, endDate, OF_STATUSES),
      ...(source !== undefined && { sources: [source] }),
    });
    const sources = await ingestion.findAll([...new Set(days.map((day) => day.source))]);
    const wanted = query.status === undefined ? query.statuses : [...(query.statuses ?? []), query.status];
    const found = toStatuses(days, sources).filter(
      ({ ingestion_dataset, status }) => (dataset === undefined || ingestion_dataset === dataset) && (wanted?.includes(status) ?? true),
    );
    const page = pageThrough("/console/v1/ingestion/status", query, found);
    return { status: 200, body: { message: "Ingestion statuses listed successfully.", ...page } };
  },
} satisfies Partial<Handlers<operations, Env>>;

type CountsAsked = { start_date: string; end_date: string; source_name?: string; event_name?: string };

function readCounts({ start_date, end_date, source_name: source, event_name: event }: CountsAsked, { ingestion }: Env["stores"]) {
  const days = requireDays(start_date, end_date, OF_EVENTS);
  return ingestion.listCounts({ ...days, ...(source !== undefined && { source }), ...(event !== undefined && { event }) });
}
