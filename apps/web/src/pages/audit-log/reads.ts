import { infiniteQueryOptions } from "@tanstack/react-query";
import { call, currentProjectID } from "../../api.ts";
import { type Entry, entryOfChange, entryOfLog } from "./entries.ts";
import { type AuditLogSearch, changesFilter, trailFilter, type View } from "./page-search.ts";
import { type EntriesPage, readWholeRequests } from "./whole-requests.ts";

/** The rest of a longer request joins its row with the next page. */
const SIZES = { page: 50, atOnce: 100, most: 3_000 };

/** The entries of a view, newest first. Its key begins with the operation, so that `invalidate` reads it again. */
export function entriesRead(view: View, search: AuditLogSearch) {
  const operationId = view === "changes" ? "listChanges" : view === "trail" ? "listAuditLogs" : "listInstanceAuditLogs";
  const filter = view === "changes" ? changesFilter(search) : trailFilter(search);
  return infiniteQueryOptions({
    queryKey: [operationId, view === "instance" ? undefined : currentProjectID(), "entries", filter],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam, signal }) =>
      readWholeRequests(
        (...part) => (view === "changes" ? readChanges(search, signal, ...part) : readTrail(view, search, signal, ...part)),
        pageParam,
        SIZES,
      ),
    getNextPageParam: ({ next }: EntriesPage) => next,
  });
}

async function readChanges(search: AuditLogSearch, signal: AbortSignal, before: number | undefined, limit: number): Promise<Entry[]> {
  const query = { ...changesFilter(search), limit, ...(before !== undefined && { before }) };
  const { data } = await call("listChanges", { query, signal });
  return data.map(entryOfChange);
}

async function readTrail(
  view: "trail" | "instance",
  search: AuditLogSearch,
  signal: AbortSignal,
  before: number | undefined,
  limit: number,
): Promise<Entry[]> {
  const query = { ...trailFilter(search), limit, ...(before !== undefined && { latestID: String(before) }) };
  const { data } = await (view === "trail" ? call("listAuditLogs", { query, signal }) : call("listInstanceAuditLogs", { query, signal }));
  return data.map(entryOfLog);
}
