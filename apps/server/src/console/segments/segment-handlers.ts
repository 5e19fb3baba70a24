import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { Env } from "../stores.ts";
import { archiveSegment, changeRules, changeSegment, newSegment, restoreSegment, unarchiveSegment } from "./segment.ts";

export const segmentHandlers = {
  listSegmentVersions: listVersions("listSegmentVersions", "Segment", (stores) => stores.segments),
  restoreSegmentVersion: restoreVersion("Segment", (stores) => stores.segments, {
    restore: restoreSegment,
  }),

  async listSegments({ query, stores }) {
    const filter = pickFilters(query);
    const { data, total } = await stores.segments.list(filter, toWindow(query));
    const pagination = paginate("/console/v1/segments", query, total);
    return { status: 200, body: { message: "Segments listed successfully.", data, pagination } };
  },

  async createSegment({ body, context, stores }) {
    const data = await stores.segments.create(newSegment(body, context));
    return { status: 201, body: { message: "Segment created successfully.", data } };
  },

  async getSegment({ path, stores }) {
    const data = await stores.segments.get(path.id);
    return { status: 200, body: { message: "Segment read successfully.", data } };
  },

  async patchSegment({ path, body, context, stores }) {
    const segment = await stores.segments.get(path.id);
    const data = await stores.segments.replace(segment, changeSegment(segment, body, context));
    return { status: 200, body: { message: "Segment updated successfully.", data } };
  },

  async deleteSegment({ path, query, stores }) {
    await stores.segments.delete(await stores.segments.get(path.id), { force: query.forceArchive });
    return { status: 200, body: { message: "Segment deleted successfully." } };
  },

  async updateSegmentRules({ path, body, context, stores }) {
    const segment = await stores.segments.get(path.id);
    const data = await stores.segments.replace(segment, changeRules(segment, body, context));
    return { status: 200, body: { message: "Rules successfully updated", data } };
  },

  async archiveSegment({ path, body, context, stores }) {
    const segment = await stores.segments.get(path.id);
    const { archiveReason: reason, forceArchive: force } = body ?? {};
    const data = await stores.segments.replace(segment, archiveSegment(segment, context), { reason, force });
    return { status: 200, body: { message: "Segment archived successfully.", data } };
  },

  async unarchiveSegment({ path, body, context, stores }) {
    const segment = await stores.segments.get(path.id);
    const data = await stores.segments.replace(segment, unarchiveSegment(segment, context), { reason: body?.unarchiveReason });
    return { status: 200, body: { message: "Segment unarchived successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
