import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Env } from "../../stores.ts";
import { paginate, toWindow } from "../common/page.ts";
import { newSegment } from "./segment.ts";

export const segmentHandlers = {
  async listSegments({ query, stores }) {
    const { data, total } = await stores.segments.list(toWindow(query));
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

  async deleteSegment({ path, stores }) {
    await stores.segments.delete(await stores.segments.get(path.id));
    return { status: 200, body: { message: "Segment deleted successfully." } };
  },
} satisfies Partial<Handlers<operations, Env>>;
