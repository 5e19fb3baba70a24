import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import type { Segment } from "./segment.ts";
import { recount, requireChangeableIDs, requireListVersion, requireReadableIDs } from "./segment-ids.ts";

const ADDED = "IDs successfully added to Segment ID List";
const REMOVED = "IDs successfully removed from Segment ID List";

// Changes of ids lock the segment, so that concurrent calls keep its count right.
export const segmentIDHandlers = {
  async getSegmentIDList({ path, query, stores }) {
    const segment = await stores.segments.get(path.id);
    requireReadableIDs(segment);
    const { id, name } = segment;
    const { startsWith } = query;
    const count = startsWith === undefined ? segment.count : await stores.segments.ids.count(id, startsWith);
    const data = { name, count, ids: await stores.segments.ids.list(id, toWindow(query), startsWith) };
    const pagination = paginate(`/console/v1/segments/${encodeURIComponent(id)}/id_list`, query, count);
    return { status: 200, body: { message: "Segments listed successfully.", data, pagination } };
  },

  async getSegmentIDListMetadata({ path, stores }) {
    const segment = await stores.segments.get(path.id);
    requireReadableIDs(segment);
    const data = { currentVersion: await stores.segments.ids.version(segment.id), isUpdating: false };
    return { status: 200, body: { message: "ID List metadata read successfully", data } };
  },

  async addSegmentIDs({ path, body, context, stores }) {
    const segment = await stores.segments.get(path.id, { lock: true });
    requireChangeableIDs(segment, "id_list", body.ids);
    const added = await stores.segments.ids.add(segment, body.ids);
    await stores.segments.replace(segment, recount(segment, segment.count + added, context));
    return { status: 200, body: { message: ADDED, changedCount: added } };
  },

  async removeSegmentIDs({ path, body, context, stores }) {
    const segment = await stores.segments.get(path.id, { lock: true });
    requireChangeableIDs(segment, "id_list", body?.ids ?? []);
    if (!body) {
      await resetIDs(segment, [], { context, stores });
      return { status: 200, body: { message: REMOVED, changedCount: segment.count } };
    }
    const removed = await stores.segments.ids.remove(segment, body.ids);
    await stores.segments.replace(segment, recount(segment, segment.count - removed, context));
    return { status: 200, body: { message: REMOVED, changedCount: removed } };
  },

  async resetSegmentIDList({ path, body, context, stores }) {
    const segment = await stores.segments.get(path.id, { lock: true });
    requireChangeableIDs(segment, "id_list", body.ids);
    await resetIDs(segment, body.ids, { context, stores });
    return { status: 200, body: { message: "Segment Reset reset successfully." } };
  },

  async addSegmentUserStoreIDs({ path, body, context, stores }) {
    const segment = await stores.segments.get(path.id, { lock: true });
    requireChangeableIDs(segment, "user_store_id_list", body.ids);
    requireListVersion(segment, await stores.segments.ids.version(segment.id), body.version);
    const added = await stores.segments.ids.add(segment, body.ids);
    await stores.segments.replace(segment, recount(segment, segment.count + added, context));
    return { status: 200, body: { message: ADDED, changedCount: added } };
  },

  async removeSegmentUserStoreIDs({ path, body, context, stores }) {
    const segment = await stores.segments.get(path.id, { lock: true });
    requireChangeableIDs(segment, "user_store_id_list", body.ids);
    requireListVersion(segment, await stores.segments.ids.version(segment.id), body.version);
    const removed = await stores.segments.ids.remove(segment, body.ids);
    await stores.segments.replace(segment, recount(segment, segment.count - removed, context));
    return { status: 200, body: { message: REMOVED, changedCount: removed } };
  },
} satisfies Partial<Handlers<operations, Env>>;

/** Replaces all ids, in a new file. */
async function resetIDs(segment: Segment, ids: string[], { context, stores }: Env): Promise<void> {
  await stores.segments.ids.clear(segment.id);
  const count = await stores.segments.ids.add(segment, ids);
  await stores.segments.replace(segment, recount(segment, count, context));
}
