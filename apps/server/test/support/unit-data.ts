import { expect } from "vitest";
import type { TestServer } from "./server.ts";

type Line = { type: string } & Record<string, any>;
type Deletion = Awaited<ReturnType<TestServer["client"]["deleteUnitData"]>>["data"];

export const NOTHING = { events: 0, keptEvents: 0, experimentExposures: 0, checkExposures: 0, segmentIDs: 0 };

/** Downloads and deletes the data of units of a server, wherever it stores events. */
export function unitDataOn(server: TestServer) {
  const download = (body: object, options: object = {}) => server.send("POST", "/console/v1/unit_data/download", { body, ...options });

  return {
    download,

    /** The lines of a file but the first and the last, which are checked. */
    async readLines(id: string, unitType = "userID"): Promise<Line[]> {
      const { status, text } = await download({ unitType, id });
      expect(status).toBe(200);
      const lines = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Line);
      const own = lines.slice(1, -1);
      const counts: Record<string, number> = {};
      for (const { type } of own) counts[type] = (counts[type] ?? 0) + 1;
      expect(lines[0]).toEqual({
        ...{ type: "unit", unitType, id, projectID: "default", time: server.clock.now },
        receipt: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(lines.at(-1)).toEqual({ type: "end", counts });
      return own;
    },

    /** Repeats requests until the deletion is complete. @returns the deletions of all requests, and the remaining data */
    async delete(id: string, unitType = "userID", more: { limit?: number } = {}) {
      const sum: Record<string, number> = { ...NOTHING };
      const receipts = new Set<string>();
      let data: Deletion | undefined;
      let requests = 0;
      while (data === undefined || data.next !== null) {
        const after: { after?: string } = data?.next ? { after: data.next } : {};
        ({ data } = await server.client.deleteUnitData({ body: { unitType, id, ...after, ...more } }));
        for (const [name, count] of Object.entries(data.deleted)) sum[name] = (sum[name] ?? 0) + count;
        receipts.add(data.receipt);
        requests += 1;
      }
      expect(receipts.size).toBe(1);
      return { deleted: sum, remaining: data.remaining, receipt: data.receipt, isPending: data.isPending, requests };
    },
  };
}
