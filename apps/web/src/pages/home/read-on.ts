import type { Schema } from "../../api.ts";

type Change = Schema<"Change">;

/**
 * Reads older changes until enough of them are by others.
 * @param first the newest changes
 * @param read the page of changes before one with this number
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
    if (all.filter(({ actorID }) => actorID !== personID).length >= wanted) break;
    last = await read(last.at(-1)?.seq ?? 0);
    all.push(...last);
  }
  return all;
}
