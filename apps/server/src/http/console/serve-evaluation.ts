import type { OperationDescription } from "@gatehouse/contract";
import type { WritableSchema } from "@gatehouse/contract/console";
import type { RequestHandler } from "express";
import type { Proposed } from "../../console/previews.ts";
import { writing } from "../../store/database/unit-of-work.ts";
import { batchable, type RequestInput } from "./batch-requests.ts";
import { checkAll, executeAll } from "./contained-requests.ts";
import { type ConsoleServices, createContext } from "./execute.ts";
import type { BatchParts } from "./serve-batch.ts";

type Draft = WritableSchema<"EvaluationDraft">;
type EvaluationRequest = WritableSchema<"EvaluationRequest">;

/** The operation that would store a draft, and its path parameter. */
const STORED_BY: Record<Draft["type"], { operationId: string; parameter: string }> = {
  gate: { operationId: "patchGate", parameter: "id" },
  autotune: { operationId: "patchAutotune", parameter: "id" },
  dynamic_config: { operationId: "patchDynamicConfig", parameter: "id" },
  experiment: { operationId: "patchExperiment", parameter: "id" },
  layer: { operationId: "patchLayer", parameter: "id" },
  segment: { operationId: "updateSegmentRules", parameter: "id" },
  holdout: { operationId: "patchHoldout", parameter: "id" },
  param_store: { operationId: "updateParamStore", parameter: "name" },
};

/** Serves an evaluation. Its drafts are executed in a transaction that is rolled back, as the operations that would store them. */
export function serveEvaluation(description: OperationDescription, parts: BatchParts, services: ConsoleServices): RequestHandler {
  const operations = batchable(parts.operations);
  const { database, now, previews } = services;
  const { body: containingBody } = description;
  if (!containingBody) throw new Error("An evaluation has a body.");
  return async (request, response) => {
    const { drafts = [], ...given }: EvaluationRequest = request.body;
    const context = createContext(response, description, now());
    const checks = { operations, list: "drafts" as const, validator: parts.validator, containingBody, baseUrl: "" };
    const contained = await checkAll(drafts.map(toRequest), context, checks);
    const propose = (): Promise<Proposed> =>
      writing(
        database,
        async (db) => {
          const { entries } = await executeAll(contained, { db, context, dryRun: true, checkAnswer: parts.checkAnswer }, services);
          return previews.propose(db, context.projectID, entries);
        },
        { dryRun: true },
      );
    const proposed = contained.length > 0 ? await propose() : undefined;
    const data = await (proposed ? proposed.evaluate(given) : previews.evaluate(context.projectID, given));
    response.status(200).json({ message: "Users evaluated successfully.", data });
  };
}

function toRequest({ type, id, body }: Draft): RequestInput {
  const { operationId, parameter } = STORED_BY[type];
  return { operationId, path: { [parameter]: id }, body };
}
