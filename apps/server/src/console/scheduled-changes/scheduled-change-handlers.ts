import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { invalid } from "../../common/errors.ts";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { cancel, reschedule } from "./scheduled-change.ts";

export const scheduledChangeHandlers = {
  async listScheduledChanges({ query, stores }) {
    if (query.entityID !== undefined && query.entityType === undefined)
      throw invalid([{ property: "entityID", errorMessage: "needs entityType" }]);
    const { data, total } = await stores.scheduledChanges.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/scheduled_changes", query, total);
    return { status: 200, body: { message: "Scheduled changes listed successfully.", data, pagination } };
  },

  async getScheduledChange({ path, stores }) {
    const data = await stores.scheduledChanges.get(path.id);
    return { status: 200, body: { message: "Scheduled change read successfully.", data } };
  },

  async rescheduleChange({ path, body, context, stores }) {
    const change = await stores.scheduledChanges.get(path.id);
    const timeZone = await stores.settings.timeZone();
    const data = await stores.scheduledChanges.replace(change, reschedule(change, body.applyAt, { now: context.now, timeZone }));
    return { status: 200, body: { message: "Change rescheduled successfully.", data } };
  },

  async cancelScheduledChange({ path, context, stores }) {
    const change = await stores.scheduledChanges.get(path.id);
    const data = await stores.scheduledChanges.replace(change, cancel(change, context));
    return { status: 200, body: { message: "Change canceled successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
