import type { Schema } from "@gatehouse/contract/console";
import type { ChatRequest } from "../../common/chat.ts";
import type { Context } from "../../common/context.ts";
import { conflict } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import type { ModelEndpoint } from "../model-endpoint/model-endpoint.ts";
import type { PromptDataset } from "../prompt-datasets/prompt-dataset.ts";
import type { Grader, RowScore } from "../prompts/graders.ts";
import type { Prompt, PromptVersion } from "../prompts/prompt.ts";
import { templateFault } from "../prompts/render.ts";

export type EvaluationAnswer = Schema<"PromptEvaluation">;
export type EvaluationStatus = Schema<"PromptEvaluationStatus">;
export type EvaluationRow = Schema<"PromptEvaluationRow">;

/** The request without its values, and the graders, as they were at the start. */
export type EvaluationSetup = {
  versionName: string;
  dataset: { id: string; name: string; version: number };
  request: ChatRequest;
  gradingModel: string | null;
  graders: Grader[];
};

/** The sum of a grader's scores, and their number. */
type ScoreSum = { sum: number; count: number };

/** How far an evaluation is. `sums` has one for each grader, in their order. */
export type Progress = { completedRows: number; failedRows: number; sums: ScoreSum[] };

export type PromptEvaluation = Progress & {
  id: string;
  promptID: string;
  versionID: string;
  status: EvaluationStatus;
  message: string | null;
  setup: EvaluationSetup;
  rows: number;
  creatorName: string;
  createdTime: number;
  startedTime: number | null;
  finishedTime: number | null;
};

/** Maximum number of evaluations of a project that wait or run. */
const MAX_UNFINISHED = 20;

type Parts = { prompt: Prompt; version: PromptVersion; dataset: PromptDataset | undefined; endpoint: ModelEndpoint; unfinished: number };

/** @throws AppError conflict if the version cannot be evaluated */
export function newEvaluation({ prompt, version, dataset, endpoint, unfinished }: Parts, { actor, now }: Context): PromptEvaluation {
  const { evaluation } = prompt;
  const subject = `Version ${version.name}`;
  if (!evaluation) throw conflict(`Prompt ${prompt.id} has no evaluation. Set its dataset and graders first.`, "evaluation");
  if (!dataset) throw conflict(`Prompt dataset ${evaluation.datasetID} does not exist.`, "evaluation.datasetID");
  if (dataset.rows.length === 0) throw conflict(`Prompt dataset ${dataset.id} has no rows.`, "evaluation.datasetID");
  if (version.prompts.length === 0) throw conflict(`${subject} has no messages.`, "versionID");
  if (endpoint.url === null) throw conflict("The project has no model endpoint. Connect one first.", "url");
  const model = version.model || endpoint.defaultModel;
  if (!model) throw conflict(`${subject} names no model, and the model endpoint has no default model.`, "versionID");
  const fault = version.prompts.map(({ content }) => templateFault(content)).find((one) => one !== undefined);
  if (fault !== undefined) throw conflict(`${subject} cannot be rendered. A message ${fault}.`, "versionID");
  if (unfinished >= MAX_UNFINISHED)
    throw conflict(`The project has ${MAX_UNFINISHED} evaluations that wait or run, which is the maximum. Cancel one first.`);
  const { graders } = evaluation;
  const isGraded = graders.some(({ type }) => type === "prompt");
  return {
    ...{ id: randomID(), promptID: prompt.id, versionID: version.id, status: "QUEUED", message: null },
    setup: {
      versionName: version.name,
      dataset: { id: dataset.id, name: dataset.name, version: dataset.version },
      request: toRequest(version, { model, messages: version.prompts }),
      gradingModel: isGraded ? version.eval_model || endpoint.defaultModel || model : null,
      graders,
    },
    ...{ rows: dataset.rows.length, completedRows: 0, failedRows: 0, sums: graders.map(() => ({ sum: 0, count: 0 })) },
    ...{ creatorName: actor.name, createdTime: now, startedTime: null, finishedTime: null },
  };
}

/** A request for a completion of these messages, with the parameters of a version. */
export function toRequest(
  { temperature, top_p, frequency_penalty, presence_penalty, max_tokens }: Schema<"ModelParameters">,
  given: Pick<ChatRequest, "model" | "messages">,
): ChatRequest {
  return { ...given, temperature, top_p, frequency_penalty, presence_penalty, max_tokens };
}

/** @throws AppError conflict if it has finished */
export function requireUnfinished({ id, status, finishedTime }: PromptEvaluation): void {
  if (finishedTime !== null) throw conflict(`Evaluation ${id} has finished: its status is ${status}.`, "evaluationID");
}

/** The progress after a row. @param scores those of all graders, in their order; none for a row without an output */
export function afterRow(before: Progress, scores: readonly RowScore[] | undefined): Progress {
  if (!scores) return { ...before, failedRows: before.failedRows + 1 };
  const sums = before.sums.map(({ sum, count }, index) => {
    const score = scores[index]?.score ?? null;
    return score === null ? { sum, count } : { sum: sum + score, count: count + 1 };
  });
  return { ...before, completedRows: before.completedRows + 1, sums };
}

const mean = ({ sum, count }: ScoreSum): number | null => (count === 0 ? null : Math.min(1, sum / count));

/** An evaluation as the API returns it. */
export function toAnswer({ promptID: _, setup, sums, ...evaluation }: PromptEvaluation): EvaluationAnswer {
  const { versionName, dataset, request, gradingModel, graders } = setup;
  const all = sums.reduce((a, b) => ({ sum: a.sum + b.sum, count: a.count + b.count }), { sum: 0, count: 0 });
  return {
    ...evaluation,
    ...{ versionName, datasetID: dataset.id, datasetName: dataset.name, datasetVersion: dataset.version },
    ...{ model: request.model, gradingModel, graders },
    score: mean(all),
    scores: graders.map(({ name }, index) => {
      const own = sums[index] ?? { sum: 0, count: 0 };
      return { grader: name, score: mean(own), rows: own.count };
    }),
  };
}
