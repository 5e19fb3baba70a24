import type { Schema } from "../../api.ts";
import { requestKey } from "../../entity/request-changes.ts";

type Change = Schema<"Change">;

/**
 * Reads older changes until enough requests of others made them. The last request is left out if more of its changes may be older.
 * @param first the newest changes
 * @param read the page of changes before one with this number
 * @param wanted a number of requests
 * @returns the first changes and those that were read
 */
export async function readUntilOthers(
  first: readonly Change[],
  read: (before: number) => Promise<readonly Change[]>,
  { personID, wanted, pageSize, maxPages }: { personID: string; wanted: number; pageSize: number; maxPages: number },
): Promise<Change[]> {
  const all = [...first];
  let last = first;
  for (let page = 1; page < maxPages && last.length === pageSize; page++) {
    if (new Set(all.filter(({ actorID }) => actorID !== personID).map(requestKey)).size > wanted) break;
    last = await read(last.at(-1)?.seq ?? 0);
    all.push(...last);
  }
  if (last.length < pageSize) return all;
  const oldest = all.at(-1);
  const whole = all.filter((change) => oldest === undefined || requestKey(change) !== requestKey(oldest));
  return whole.length === 0 ? all : whole;
}
