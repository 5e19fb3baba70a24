import type { OperationRequest } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { invalid } from "../../common/errors.ts";
import type { Stores } from "../stores.ts";
import { type AuditLog, toAuditLog } from "./audit-log.ts";
import { readQuery } from "./audit-log-handlers.ts";

type Query = OperationRequest<operations["listAuditLogs"]>["query"];
type StreamRequest = { query: Query; read<T>(work: (stores: Stores) => Promise<T>): Promise<T> };

/** Entries per query. */
const BATCH_SIZE = 200;

/**
 * The entries that match, in the order of their ids, one batch at a time: as `listAuditLogs` returns them.
 * @throws AppError invalid_request
 */
export async function* streamAuditLogs({ query, read }: StreamRequest): AsyncGenerator<AuditLog[], void, undefined> {
  const { sortKey, sortOrder, filter } = readQuery(query);
  const { page = 1, limit = Number.POSITIVE_INFINITY } = query;
  if (!["id", "date", "time"].includes(sortKey)) throw notInStream("sortKey", "must be id, date, or time in a stream");
  if (page > 1) throw notInStream("page", "must be 1 in a stream; latestID continues it");
  let { latestID } = filter;
  for (let left = limit; left > 0; ) {
    const take = Math.min(left, BATCH_SIZE);
    const seqs = await read(({ auditLogs }) => auditLogs.find({ ...filter, latestID }, { sortKey, sortOrder }, { skip: 0, take }));
    const last = seqs.at(-1);
    if (last === undefined) return;
    for (let rest = seqs; rest.length > 0; ) {
      const entries = await read(({ auditLogs }) => auditLogs.readPart(rest, sortOrder));
      yield entries.map(toAuditLog);
      rest = rest.slice(rest.indexOf(entries.at(-1)?.seq ?? last) + 1);
    }
    latestID = String(last);
    left -= seqs.length;
  }
}

function notInStream(property: string, errorMessage: string) {
  return invalid([{ property, errorMessage }]);
}
