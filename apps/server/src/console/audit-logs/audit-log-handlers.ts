import type { Handlers, OperationRequest } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { invalid } from "../../common/errors.ts";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { toAuditLog } from "./audit-log.ts";

type Query = OperationRequest<operations["listAuditLogs"]>["query"];

export const auditLogHandlers = {
  listAuditLogs: list("/console/v1/audit_logs"),
  // Operations of administrators have the stores of the instance.
  listInstanceAuditLogs: list("/console/v1/instance/audit_logs"),
} satisfies Partial<Handlers<operations, Env>>;

/** Creates the handler of the list at a path. */
function list(path: string) {
  return async ({ query, stores }: { query: Query } & Env) => {
    const { sortKey, sortOrder, filter } = readQuery(query);
    const [seqs, total] = await Promise.all([
      stores.auditLogs.find(filter, { sortKey, sortOrder }, toWindow(query)),
      stores.auditLogs.count(filter, sortOrder),
    ]);
    const data = (await stores.auditLogs.read(seqs)).map(toAuditLog);
    const pagination = paginate(path, query, total);
    return { status: 200 as const, body: { message: "Audit logs listed successfully.", data, pagination } };
  };
}

/** @throws AppError invalid_request if the list has a cursor and another order than that of the ids */
export function readQuery({ sortKey = "time", sortOrder = "desc", page: _page, limit: _limit, ...filter }: Query) {
  if (filter.latestID !== undefined && !["id", "date", "time"].includes(sortKey)) {
    throw invalid([{ property: "latestID", errorMessage: `cannot be combined with the sortKey ${sortKey}, only with id, date, or time` }]);
  }
  return { sortKey, sortOrder, filter };
}
