import type { BodyDescription, Permission } from "@gatehouse/contract";
import { BATCH, type Executor, type Prepared, type StoredRequest, type Work } from "../../changes/executor.ts";
import { findRequirements, readRulesFor, withLatestProject } from "../../changes/requirements.ts";
import type { Principal } from "../../common/context.ts";
import { inRequest, invalid } from "../../common/errors.ts";
import { requirePermissions } from "../../common/permissions.ts";
import { batchable, checkRequest, type RequestInput, requireOperation } from "./batch-requests.ts";
import { type Contained, checkAll, executeAll } from "./contained-requests.ts";
import { type ConsoleOperation, type ConsoleServices, execute, precondition } from "./execute.ts";
import type { BatchParts } from "./serve-batch.ts";

/** No handler whose operation can be scheduled makes a link to the server. */
const NO_URL = "";

/** Executes stored requests with the same checks, permissions and handlers as those that arrive. */
export function createExecutor(parts: Omit<BatchParts, "writeLimiter">, services: ConsoleServices): Executor {
  const { validator, checkAnswer } = parts;
  const operations = batchable(parts.operations);
  const batch = parts.operations.find(({ operationId }) => operationId === BATCH) as ConsoleOperation;
  const containingBody = batch.body as BodyDescription;
  const checks = { operations, list: "requests" as const, validator, containingBody, baseUrl: NO_URL };

  async function prepareBatch(requests: RequestInput[], by: Principal): Promise<Prepared> {
    const contained = await checkAll(requests, by, checks);
    for (const one of contained) requireSchedulable(one);
    if (!contained.some(({ operation }) => operation.isWrite))
      throw invalid([{ property: "requests", errorMessage: "must contain at least one write" }]);
    const runAll = (given: Contained[]) => async (work: Pick<Work, "db" | "context">) =>
      (await executeAll(given, { ...work, dryRun: false, checkAnswer }, services)).entries;
    return {
      addressed: undefined,
      precondition: () => undefined,
      requireMatches: contained.some(({ request }) => request.ifMatch !== undefined) ? runAll(contained) : undefined,
      run: runAll(contained.map((one) => ({ ...one, request: { ...one.request, ifMatch: undefined } }))),
    };
  }

  async function prepareOne(request: StoredRequest, by: Principal): Promise<Prepared> {
    const { operationId, path, query, body, ifMatch } = request;
    const operation = requireOperation(operations, { operationId });
    requirePermissions(by, [operation.permission as Permission]);
    // The validator changes what it checks.
    const given = { operationId, path, query, ...structuredClone({ body: body ?? undefined }), ...(ifMatch !== null && { ifMatch }) };
    const checked = await checkRequest(operation, given as RequestInput, { validator, containingBody, baseUrl: NO_URL });
    return {
      addressed: addressedBy(operation, checked.path),
      precondition: () => precondition(checked, operation),
      requireMatches: undefined,
      run: async ({ db, context, precondition: condition }) => {
        return (await execute(operation, { ...checked, ifMatch: undefined }, { db, context, condition }, services)).entries;
      },
    };
  }

  return {
    withLatestProject: (projectID, work) => withLatestProject(services.previews, projectID, work),
    readRulesFor,
    findRequirements: (entries, work) => findRequirements(entries, work, services.previews),
    async checkBatch(body) {
      await checkRequest(batch, { operationId: BATCH, ...structuredClone({ body: body ?? undefined }) } as RequestInput, checks);
    },
    prepare(request, by) {
      if (request.operationId !== BATCH) return prepareOne(request, by);
      return prepareBatch(structuredClone((request.body as { requests: RequestInput[] }).requests), by);
    },
  };
}

/** @throws AppError invalid_request that names the place in the batch */
function requireSchedulable({ operation, place }: Contained): void {
  const { operationId, isWrite, takesApplyAt, unscheduled = "Its response shows a secret only once." } = operation;
  if (!isWrite || takesApplyAt) return;
  throw inRequest(invalid([{ property: "operationId", errorMessage: `cannot be scheduled: ${operationId}. ${unscheduled}` }]), place);
}

function addressedBy({ guarded }: ConsoleOperation, path: Record<string, unknown>): Prepared["addressed"] {
  return guarded?.parameter === undefined ? undefined : { type: guarded.type, id: String(path[guarded.parameter]) };
}
