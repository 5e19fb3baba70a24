import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { AnalysisEnv } from "../stores.ts";
import { previewedSource } from "../warehouse/rows-preview.ts";
import { changeQualifyingEvent, newQualifyingEvent } from "./qualifying-event.ts";

export const qualifyingEventHandlers = {
  listQualifyingEventVersions: listVersions("listQualifyingEventVersions", "Qualifying event", (stores) => stores.qualifyingEvents),
  restoreQualifyingEventVersion: restoreVersion("Qualifying event", (stores) => stores.qualifyingEvents),

  async listQualifyingEvents({ query, stores }) {
    const { data, total } = await stores.qualifyingEvents.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/experiments/qualifying_events", query, total);
    return { status: 200, body: { message: "Qualifying events listed successfully.", data, pagination } };
  },

  async createQualifyingEvent({ body, context, stores }) {
    const data = await stores.qualifyingEvents.create(newQualifyingEvent(body, context));
    return { status: 201, body: { message: "Qualifying event created successfully.", data } };
  },

  async getQualifyingEvent({ path, stores }) {
    const data = await stores.qualifyingEvents.get(path.name);
    return { status: 200, body: { message: "Qualifying event read successfully.", data } };
  },

  async updateQualifyingEvent({ path, body, context, stores }) {
    const source = await stores.qualifyingEvents.get(path.name);
    const data = await stores.qualifyingEvents.replace(source, changeQualifyingEvent(source, body, context));
    return { status: 200, body: { message: "Qualifying event updated successfully.", data } };
  },

  async deleteQualifyingEvent({ path, query, stores }) {
    await stores.qualifyingEvents.delete(await stores.qualifyingEvents.get(path.name), { force: query.forceArchive });
    return { status: 200, body: { message: "Qualifying event deleted successfully." } };
  },

  async previewQualifyingEvent({ body, ...env }) {
    const data = await previewedSource(body, env);
    return { status: 200, body: { message: "Qualifying event previewed successfully.", data } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;
