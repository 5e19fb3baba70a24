import type { Call } from "./call-operation.ts";
import type { ToolOperation } from "./catalog.ts";
import { failure, jsonResult, type ToolResult, toResult } from "./results.ts";
import { findOperation, pathFaults, type Tool, type ToolEnv } from "./tool.ts";

/** How a change is made. */
const MODES = ["dry_run", "request_review", "apply"] as const;
type Mode = (typeof MODES)[number];

const MAX_FOUND = 50;
const DEFAULT_FOUND = 15;

/** Query parameters that the mode of a change decides. */
const OF_MODE = ["dryRun", "requestReview", "impact"];

const PATH = { type: "object", description: "The parameters in the path, by name.", additionalProperties: { type: ["string", "integer"] } };
const QUERY = { type: "object", description: "The query parameters, by name. A list is an array.", additionalProperties: true };
const OPERATION = { type: "string", description: "The operationId, such as patchGate. find_operations lists them." };

const findOperations: Tool<{ query: string; kind?: "read" | "write"; limit?: number }> = {
  name: "find_operations",
  title: "Find operations",
  description:
    "Finds operations of the Gatehouse console API by words, such as “gate overrides”. Use it if no other tool fits, and then " +
    "describe_operation, read, and change.",
  inputSchema: {
    type: "object",
    properties: {
      query: { type: "string", minLength: 1, maxLength: 200, description: "Words that describe the task." },
      kind: { enum: ["read", "write"], description: "Only operations that read, or only those that write." },
      limit: { type: "integer", minimum: 1, maximum: MAX_FOUND, description: `Maximum number of operations. Default: ${DEFAULT_FOUND}.` },
    },
    required: ["query"],
    additionalProperties: false,
  },
  isReadOnly: true,
  async run({ query, kind, limit = DEFAULT_FOUND }, { catalog, permissions }) {
    const found = catalog.find(query, { isWrite: kind && kind === "write" });
    const operations = found.slice(0, limit).map(({ operationId, summary, isWrite, permission }) => ({
      ...{ operationId, summary, isWrite, permission },
      isAllowed: permission === "contained" || (permissions as ReadonlySet<unknown>).has(permission),
    }));
    return jsonResult({ operations, total: found.length });
  },
};

const describeOperation: Tool<{ operationId: string }> = {
  name: "describe_operation",
  title: "Describe an operation",
  description: "Returns the description, the parameters and the JSON Schema of the body of an operation, with an example.",
  inputSchema: { type: "object", properties: { operationId: OPERATION }, required: ["operationId"], additionalProperties: false },
  isReadOnly: true,
  async run({ operationId }, env) {
    const operation = findOperation(operationId, env);
    return typeof operation === "string" ? failure(operation) : jsonResult(env.catalog.describe(operation));
  },
};

const read: Tool<{ operationId: string } & Omit<Call, "ifMatch">> = {
  name: "read",
  title: "Read",
  description:
    "Calls an operation that reads, such as listChanges or getExperiment. Lists have pages: see pagination in the result, and use the " +
    "query parameters limit and page.",
  inputSchema: {
    type: "object",
    properties: {
      operationId: OPERATION,
      path: PATH,
      query: QUERY,
      body: { description: "The body of the few reads that take one, such as computePower." },
    },
    required: ["operationId"],
    additionalProperties: false,
  },
  isReadOnly: true,
  async run({ operationId, ...call }, env) {
    const operation = findOperation(operationId, env);
    if (typeof operation === "string") return failure(operation);
    if (operation.isWrite) return failure(`${operationId} is a write. Use the tool change.`);
    return send(operation, call, env);
  },
};

type Change = { operationId: string; mode?: Mode; reason?: string; impactUsers?: number } & Call;

export const change: Tool<Change> = {
  name: "change",
  title: "Change",
  description:
    "Calls an operation that writes. By default it is a dry run: it returns the changes field by field, and changes nothing. The mode " +
    "request_review stores the change until people approve it. The mode apply makes it at once, and needs a key with the scope mcp_write. " +
    "To make several changes together, call batch with a list of requests.",
  inputSchema: {
    type: "object",
    properties: {
      operationId: OPERATION,
      path: PATH,
      query: QUERY,
      body: { description: "The body, as describe_operation describes it." },
      ifMatch: {
        type: "string",
        maxLength: 1_000,
        description: "The etag of the entity as you read it. The change fails if it has changed since then.",
      },
      mode: { enum: MODES, description: "Default: dry_run." },
      reason: { type: "string", maxLength: 1_000, description: "Why you make the change. Reviewers and the audit log show it." },
      impactUsers: {
        type: "integer",
        minimum: 1,
        maximum: 10_000,
        description: "For a dry run: evaluate this many recent users with and without the change.",
      },
    },
    required: ["operationId"],
    additionalProperties: false,
  },
  isReadOnly: false,
  async run({ operationId, mode = "dry_run", reason, impactUsers, query = {}, ...call }, env) {
    const operation = findOperation(operationId, env);
    if (typeof operation === "string") return failure(operation);
    if (!operation.isWrite) return failure(`${operationId} only reads. Use the tool read.`);
    const taken = OF_MODE.filter((name) => Object.hasOwn(query, name));
    if (taken.length > 0) return failure(`query.${taken[0]} is decided by mode and impactUsers.`);
    const refused =
      refusedBy(operation, call, { mode, env }) ?? (mode !== "dry_run" && impactUsers ? "impactUsers needs the mode dry_run." : undefined);
    if (refused !== undefined) return failure(refused);
    const ofMode = { dry_run: { dryRun: true }, request_review: { requestReview: true }, apply: {} }[mode];
    const whole = { ...query, ...ofMode, ...(reason !== undefined && { reason }), ...(impactUsers && { impact: impactUsers }) };
    return send(operation, { ...call, query: whole }, env);
  },
};

/** Why a change cannot be made in this way. */
function refusedBy(operation: ToolOperation, { body }: Call, { mode, env }: { mode: Mode; env: ToolEnv }): string | undefined {
  if (mode === "request_review" && !operation.takesApplyAt)
    return `${operation.operationId} cannot be reviewed. Use the mode dry_run or apply.`;
  for (const one of [operation, ...containedIn(operation, body, env)]) {
    if (typeof one === "string") return one;
    if (mode !== "dry_run" && one.shownOnce) return `${one.operationId} shows a secret only once. Use the console.`;
  }
  return undefined;
}

/** The operations of the requests in a batch. The console API refuses unknown ones. */
function containedIn({ operationId }: ToolOperation, body: unknown, { catalog }: ToolEnv): (ToolOperation | string)[] {
  const { requests } = (body ?? {}) as { requests?: unknown };
  if (operationId !== "batch" || !Array.isArray(requests)) return [];
  return requests.flatMap((request: { operationId?: unknown } | null) => {
    const id = String(request?.operationId);
    return catalog.operations.get(id) ?? catalog.reasonAgainst(id) ?? [];
  });
}

async function send(operation: ToolOperation, call: Call, env: ToolEnv): Promise<ToolResult> {
  const faults = pathFaults(operation, call.path);
  return faults.length > 0 ? failure(faults.join("\n")) : toResult(operation, await env.call(operation, call));
}

export const operationTools = [findOperations, describeOperation, read, change];
