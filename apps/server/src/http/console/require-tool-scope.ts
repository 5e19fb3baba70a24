import type { OperationDescription } from "@gatehouse/contract";
import type { RequestHandler, Response } from "express";
import { forbidden } from "../../common/errors.ts";
import { getCredentials } from "./authenticate.ts";

/** The scope with which tools of the MCP server can make changes. */
const SCOPE = "mcp_write";

/** Marks a request as the call of a tool of the MCP server. */
export function markAsTool(response: Response): void {
  response.locals.isTool = true;
}

/** Whether tools can make changes with the key of the caller. */
export function mayToolsWrite(response: Response): boolean {
  return getCredentials(response).scopes.includes(SCOPE);
}

/**
 * Rejects a change by a tool whose key lacks the scope, and a read that sends a request to another server. Dry runs and requests for a review are allowed. The query has not been checked yet,
 * so only the literal `true` counts.
 */
export function requireToolScope({ isWrite, asks }: Pick<OperationDescription, "isWrite" | "asks">): RequestHandler {
  const isFree = !isWrite && asks === undefined;
  return ({ query }, response, next) => {
    const isTrial = isWrite && (query.dryRun === "true" || query.requestReview === "true");
    if (isFree || isTrial || !response.locals.isTool || mayToolsWrite(response)) return next();
    if (isWrite) throw forbidden(`the scope ${SCOPE} for changes over MCP. Try the change as a dry run, or request a review of it`);
    throw forbidden(`the scope ${SCOPE} over MCP, because it sends a request to another server`);
  };
}
