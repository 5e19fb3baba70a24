import { infiniteQueryOptions } from "@tanstack/react-query";
import { call, currentProjectID } from "../../api.ts";
import { type Entry, entryOfChange, entryOfLog } from "./entries.ts";
import { type AuditLogSearch, changesFilter, trailFilter, type View } from "./page-search.ts";

const PAGE = 50;

type EntriesPage = { entries: Entry[]; next: number | null };

/** The entries of a view, newest first. Its key begins with the operation, so that `invalidate` reads it again. */
export function entriesRead(view: View, search: AuditLogSearch) {
  const operationId = view === "changes" ? "listChanges" : view === "trail" ? "listAuditLogs" : "listInstanceAuditLogs";
  const filter = view === "changes" ? changesFilter(search) : trailFilter(search);
  return infiniteQueryOptions({
    queryKey: [operationId, view === "instance" ? undefined : currentProjectID(), "entries", filter],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam: before, signal }) =>
      view === "changes" ? readChanges(search, before, signal) : readTrail(view, search, before, signal),
    getNextPageParam: ({ next }: EntriesPage) => next,
  });
}

async function readChanges(search: AuditLogSearch, before: number | undefined, signal: AbortSignal): Promise<EntriesPage> {
  const query = { ...changesFilter(search), limit: PAGE, ...(before !== undefined && { before }) };
  const { data } = await call("listChanges", { query, signal });
  return toPage(data.map(entryOfChange));
}

async function readTrail(
  view: "trail" | "instance",
  search: AuditLogSearch,
  before: number | undefined,
  signal: AbortSignal,
): Promise<EntriesPage> {
  const query = { ...trailFilter(search), limit: PAGE, ...(before !== undefined && { latestID: String(before) }) };
  const { data } = await (view === "trail" ? call("listAuditLogs", { query, signal }) : call("listInstanceAuditLogs", { query, signal }));
  return toPage(data.map(entryOfLog));
}

/** A page that is not full is the last. */
const toPage = (entries: Entry[]): EntriesPage => ({ entries, next: entries.length < PAGE ? null : (entries.at(-1)?.seq ?? null) });
