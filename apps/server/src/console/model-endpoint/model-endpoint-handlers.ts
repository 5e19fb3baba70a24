import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/console";
import { ModelFailure } from "../../models/model-failure.ts";
import type { AnalysisEnv } from "../stores.ts";
import { changeEndpoint, removeEndpoint } from "./model-endpoint.ts";

export const modelEndpointHandlers = {
  async getModelEndpoint({ stores }) {
    return { status: 200, body: { message: "Model endpoint read successfully.", data: await stores.modelEndpoints.get() } };
  },

  async patchModelEndpoint({ body, context, stores }) {
    const before = await stores.modelEndpoints.get();
    const { endpoint, key } = changeEndpoint(before, body, context);
    const data = await stores.modelEndpoints.replace(before, endpoint);
    if (key !== "keep") await stores.modelEndpoints.keepKey(body.apiKey ?? null);
    return { status: 200, body: { message: "Model endpoint updated successfully.", data } };
  },

  async deleteModelEndpoint({ stores }) {
    const before = await stores.modelEndpoints.get();
    const data = await stores.modelEndpoints.replace(before, removeEndpoint(before));
    await stores.modelEndpoints.keepKey(null);
    return { status: 200, body: { message: "Model endpoint deleted successfully.", data } };
  },

  async checkModelEndpoint(env) {
    return { status: 200, body: { message: "Model endpoint checked successfully.", data: await check(env) } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

async function check({ stores, limited }: Pick<AnalysisEnv, "stores" | "limited">): Promise<Schema<"ModelCheck">> {
  const { defaultModel: model } = await stores.modelEndpoints.get();
  try {
    const chat = await stores.modelEndpoints.open();
    if (model === null) return { isUsable: false, model, reason: "The endpoint has no default model." };
    const messages = [{ role: "user" as const, content: "Answer with the word OK." }];
    await limited(({ signal }) => chat.ask({ model, messages }, { signal, attempts: 1, firstPauseMs: 0 }));
    return { isUsable: true, model, reason: null };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return { isUsable: false, model, reason: error.message };
  }
}
