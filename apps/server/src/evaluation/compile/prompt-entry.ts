import type { Schema } from "@gatehouse/contract/console";
import type { ParamStore, Spec } from "@gatehouse/evaluation";
import { PROMPT_PREFIX } from "../../console/common/prompt-name.ts";

type Prompt = Schema<"Prompt">;
type PromptVersion = Schema<"PromptVersion">;

/**
 * A prompt as SDKs for servers read it: a param store that names the live version and the candidates, and a dynamic config for each version.
 * Both are kept apart from the project's own, so that nothing that browsers receive contains a prompt.
 */
export type CompiledPrompt = {
  config: { promptVersionIds: string[]; targetAppIDs: string[] };
  /** The name of the param store. */
  name: string;
  store: ParamStore;
  specs: Spec[];
};

export function promptEntry(prompt: Prompt): CompiledPrompt {
  const { id, targetApps, versions = [], liveVersionID = null } = prompt;
  const candidates = versions.filter((version) => version.id !== liveVersionID);
  return {
    config: { promptVersionIds: versions.map((version) => version.id), targetAppIDs: targetApps },
    name: `${PROMPT_PREFIX}${id}`,
    store: {
      targetAppIDs: targetApps,
      parameters: {
        ...(liveVersionID !== null && { live: { ref_type: "static", param_type: "string", value: configName(liveVersionID) } }),
        candidates: { ref_type: "static", param_type: "array", value: candidates.map((version) => configName(version.id)) },
      },
    },
    specs: versions.map((version) => versionSpec(prompt, version)),
  };
}

const configName = (versionID: string) => `${PROMPT_PREFIX}${versionID}`;

function versionSpec({ id, idType, liveVersionID }: Prompt, version: PromptVersion): Spec {
  const name = configName(version.id);
  return {
    ...{ name, type: "dynamic_config", salt: name, enabled: true, idType, entity: "dynamic_config" },
    defaultValue: { ...versionValue(version), type: version.id === liveVersionID ? "Live" : "Candidate", aiConfigName: id },
    rules: [],
    // Versions of a prompt never change.
    version: 1,
  };
}

/** The fields of a version under the names by which SDKs read them. Parameters without a value are left out, so that fallbacks apply. */
function versionValue(version: PromptVersion) {
  const { name, prompts, temperature, provider, model, max_tokens, top_p, frequency_penalty, presence_penalty, eval_model, workflow_body } =
    version;
  const parameters = {
    ...{ temperature, provider, model },
    ...{ maxTokens: max_tokens, topP: top_p, frequencyPenalty: frequency_penalty, presencePenalty: presence_penalty },
    ...{ evalModel: eval_model, workflowBody: workflow_body },
  };
  return { name, prompts, ...Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined)) };
}
