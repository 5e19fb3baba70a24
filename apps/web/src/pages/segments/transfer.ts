import { call } from "../../api.ts";
import { type Batch, type Refused, readBatches } from "./id-file.ts";
import type { IDColumn } from "./id-table.ts";

export type ListType = "id_list" | "user_store_id_list";
export type Mode = "add" | "remove" | "replace";

type Send = (id: string, ids: string[]) => Promise<{ changedCount: number }>;

/** The operations that send a batch, and its maximum number of ids. */
const OPERATIONS: Record<ListType, { size: number; add: Send; remove: Send }> = {
  id_list: {
    size: 50_000,
    add: (id, ids) => call("addSegmentIDs", { path: { id }, body: { ids } }),
    remove: (id, ids) => call("removeSegmentIDs", { path: { id }, body: { ids } }),
  },
  user_store_id_list: {
    size: 1_000,
    add: (id, ids) => call("addSegmentUserStoreIDs", { path: { id }, body: { ids } }),
    remove: (id, ids) => call("removeSegmentUserStoreIDs", { path: { id }, body: { ids } }),
  },
};

/** Replaces the list with these ids. */
const reset: Send = async (id, ids) => {
  await call("resetSegmentIDList", { path: { id }, body: { ids } });
  return { changedCount: ids.length };
};

export type Progressed = {
  /** The ids that the server took. */
  sent: number;
  /** The ids that it added or removed. */
  changed: number;
  lines: number;
  bytes: number;
  refusedCount: number;
  /** The first refused ids. */
  refused: readonly Refused[];
  isDone: boolean;
};

const MAX_REFUSED = 100;
const START: Progressed = { sent: 0, changed: 0, lines: 0, bytes: 0, refusedCount: 0, refused: [], isDone: false };

/**
 * Sends the ids of a file to a list, batch by batch. After a failure, `next` sends the same batch again: a server that has its ids already
 * takes them a second time without a change.
 */
export function createTransfer(file: Blob, target: { id: string; type: ListType; mode: Mode; column?: IDColumn | undefined }) {
  const { size, add, remove } = OPERATIONS[target.type];
  const batches = readBatches(file, size, target.column);
  let waiting: Batch | undefined;
  let progress = START;
  let isFirst = true;
  return {
    /** @throws ConsoleApiError, or the error of `fetch` without an answer */
    async next(): Promise<Progressed> {
      if (waiting === undefined) {
        const { value, done } = await batches.next();
        if (done) {
          progress = { ...progress, isDone: true };
          return progress;
        }
        waiting = value;
      }
      const { ids, line, bytes, refused } = waiting;
      let changed = 0;
      if (ids.length > 0) {
        const send = target.mode === "remove" ? remove : target.mode === "replace" && isFirst ? reset : add;
        changed = (await send(target.id, ids)).changedCount;
        isFirst = false;
      }
      waiting = undefined;
      progress = {
        ...progress,
        sent: progress.sent + ids.length,
        changed: progress.changed + changed,
        lines: line,
        bytes,
        refusedCount: progress.refusedCount + refused.length,
        refused: [...progress.refused, ...refused].slice(0, MAX_REFUSED),
      };
      return progress;
    },
  };
}

export type Transfer = ReturnType<typeof createTransfer>;
