import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { pageThrough, paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";

export const eventHandlers = {
  async listEvents({ query, stores }) {
    const { names: data, total } = await stores.events.listNames(query.search, toWindow(query));
    const pagination = paginate("/console/v1/events", query, total);
    return { status: 200, body: { message: "Events listed successfully.", data, pagination } };
  },

  async listEventValues({ path, query, stores }) {
    const { events: data, total } = await stores.events.list(path.eventName, query, toWindow(query));
    const pagination = paginate(`/console/v1/events/${encodeURIComponent(path.eventName)}`, query, total);
    return { status: 200, body: { message: "Event values listed successfully.", data, pagination } };
  },

  async getEventCounts({ path, query, stores }) {
    const counts = await stores.events.countByDay(path.eventName);
    const page = pageThrough(`/console/v1/events/${encodeURIComponent(path.eventName)}/counts`, query, counts);
    return { status: 200, body: { message: "Event counts read successfully.", ...page } };
  },
} satisfies Partial<Handlers<operations, Env>>;
