import type { Handlers, OperationRequest } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { invalid } from "../../errors.ts";
import type { Env } from "../../stores.ts";
import { paginate, toWindow } from "../common/page.ts";
import { toAuditLog } from "./audit-log.ts";

type Query = OperationRequest<operations["listAuditLogs"]>["query"];

export const auditLogHandlers = {
  async listAuditLogs({ query, stores }) {
    const { sortKey, sortOrder, filter } = readQuery(query);
    const [seqs, total] = await Promise.all([
      stores.auditLogs.find(filter, { sortKey, sortOrder }, toWindow(query)),
      stores.auditLogs.count(filter, sortOrder),
    ]);
    const data = (await stores.auditLogs.read(seqs)).map(toAuditLog);
    const pagination = paginate("/console/v1/audit_logs", query, total);
    return { status: 200, body: { message: "Audit logs listed successfully.", data, pagination } };
  },
} satisfies Partial<Handlers<operations, Env>>;

/** @throws AppError invalid_request if the list has a cursor and another order than that of the ids */
export function readQuery({ sortKey = "time", sortOrder = "desc", page: _page, limit: _limit, ...filter }: Query) {
  if (filter.latestID !== undefined && !["id", "date", "time"].includes(sortKey)) {
    throw invalid([{ property: "latestID", errorMessage: `cannot be combined with the sortKey ${sortKey}, only with id, date or time` }]);
  }
  return { sortKey, sortOrder, filter };
}
