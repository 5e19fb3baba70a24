import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/console";
import type { ChatRequest } from "../../common/chat.ts";
import { invalid, notFound } from "../../common/errors.ts";
import { ModelFailure } from "../../models/model-failure.ts";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { type Prompt, requireVersion } from "../prompts/prompt.ts";
import { type Inputs, RenderingFailure, renderMessages, templateFault } from "../prompts/render.ts";
import type { AnalysisEnv, Stores } from "../stores.ts";
import { newEvaluation, requireUnfinished, toAnswer, toRequest } from "./prompt-evaluation.ts";

export const promptEvaluationHandlers = {
  async previewPrompt({ path, body, stores }) {
    const prompt = await stores.prompts.get(path.id);
    const data = render(body.prompts, await readInputs(prompt, body, stores));
    return { status: 200, body: { message: "Prompt previewed successfully.", data } };
  },

  async runPrompt({ path, body, stores, limited }) {
    const prompt = await stores.prompts.get(path.id);
    const rendered = render(body.prompts, await readInputs(prompt, body, stores));
    const { defaultModel } = await stores.modelEndpoints.get();
    const model = body.model || defaultModel;
    const data = { ...rendered, model, ...(await ask({ ...body, ...rendered, model }, { stores, limited })) };
    return { status: 200, body: { message: "Prompt run successfully.", data } };
  },

  async startPromptEvaluation({ path, context, stores }) {
    const prompt = await stores.prompts.get(path.id);
    const version = requireVersion(prompt, path.versionID);
    const datasetID = prompt.evaluation?.datasetID;
    const dataset = datasetID === undefined ? undefined : await stores.promptDatasets.find(datasetID);
    const endpoint = await stores.modelEndpoints.get();
    const unfinished = await stores.promptEvaluations.countUnfinished();
    const evaluation = newEvaluation({ prompt, version, dataset, endpoint, unfinished }, context);
    await stores.promptEvaluations.add(evaluation, dataset?.rows ?? []);
    const data = { id: version.id, name: version.name, evaluationID: evaluation.id };
    return { status: 200, body: { message: "Prompt evaluation started successfully.", data } };
  },

  async listPromptEvaluations({ path, query, stores }) {
    const { id } = await stores.prompts.get(path.id);
    const { data, total } = await stores.promptEvaluations.list(id, pickFilters(query), toWindow(query));
    const pagination = paginate(`/console/v1/prompts/${encodeURIComponent(id)}/evaluations`, query, total);
    return { status: 200, body: { message: "Prompt evaluations listed successfully.", data: data.map(toAnswer), pagination } };
  },

  async getPromptEvaluation({ path, stores }) {
    const data = toAnswer(await stores.promptEvaluations.get(path.id, path.evaluationID));
    return { status: 200, body: { message: "Prompt evaluation read successfully.", data } };
  },

  async listPromptEvaluationRows({ path, query, stores }) {
    const evaluation = await stores.promptEvaluations.get(path.id, path.evaluationID);
    const data = await stores.promptEvaluations.listRows(evaluation, toWindow(query));
    const all = `/console/v1/prompts/${encodeURIComponent(path.id)}/evaluations/${evaluation.id}/rows`;
    const pagination = paginate(all, query, evaluation.rows);
    return { status: 200, body: { message: "Prompt evaluation rows listed successfully.", data, pagination } };
  },

  async cancelPromptEvaluation({ path, context, stores }) {
    const evaluation = await stores.promptEvaluations.get(path.id, path.evaluationID, { lock: true });
    requireUnfinished(evaluation);
    const data = toAnswer(await stores.promptEvaluations.cancel(evaluation, context.now));
    return { status: 200, body: { message: "Prompt evaluation canceled successfully.", data } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

/** The values that a request gives, or those of the row that it names. @throws AppError invalid_request, not_found */
async function readInputs(prompt: Prompt, given: Schema<"PromptPreviewRequest">, { promptDatasets }: Stores): Promise<Inputs> {
  const { input, row, datasetID = prompt.evaluation?.datasetID } = given;
  if (row === undefined) {
    if (given.datasetID !== undefined) throw invalid([{ property: "row", errorMessage: "is required with datasetID" }]);
    return input ?? {};
  }
  if (input !== undefined) throw invalid([{ property: "input", errorMessage: "must be left out with row" }]);
  if (datasetID === undefined)
    throw invalid([{ property: "datasetID", errorMessage: "is required with row, since the prompt has no evaluation" }]);
  const dataset = await promptDatasets.get(datasetID);
  const found = dataset.rows[row - 1];
  if (!found) throw notFound(`Row of prompt dataset ${datasetID}`, String(row));
  return found.input;
}

/** @throws AppError invalid_request if the messages cannot be rendered */
function render(messages: Parameters<typeof renderMessages>[0], inputs: Inputs) {
  const violations = messages.flatMap(({ content }, index) => {
    const fault = templateFault(content);
    return fault === undefined ? [] : [{ property: `prompts[${index}].content`, errorMessage: fault }];
  });
  if (violations.length > 0) throw invalid(violations);
  try {
    return renderMessages(messages, inputs);
  } catch (error) {
    if (!(error instanceof RenderingFailure)) throw error;
    throw invalid([{ property: "prompts", errorMessage: error.message }]);
  }
}

type Asked = Omit<Schema<"ModelParameters">, "model"> & Pick<ChatRequest, "messages"> & { model: string | null };

/** What the model answers, or why it does not. */
async function ask(
  { model, messages, ...parameters }: Asked,
  { stores, limited }: Pick<AnalysisEnv, "stores" | "limited">,
): Promise<Pick<Schema<"PromptRun">, "output" | "reason" | "durationMs">> {
  let startTime: number | undefined;
  const elapsed = () => (startTime === undefined ? null : Math.round(performance.now() - startTime));
  try {
    const chat = await stores.modelEndpoints.open();
    if (model === null) throw new ModelFailure("request", "Neither the request nor the model endpoint names a model.");
    const output = await limited(({ signal }) => {
      startTime = performance.now();
      return chat.ask(toRequest(parameters, { model, messages }), { signal, attempts: 1, firstPauseMs: 0 });
    });
    return { output, reason: null, durationMs: elapsed() };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return { output: null, reason: error.message, durationMs: elapsed() };
  }
}
