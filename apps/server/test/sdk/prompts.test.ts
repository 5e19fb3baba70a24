import { Statsig, StatsigUser } from "@statsig/statsig-node-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { waitFor } from "../support/wait-for.ts";
import { makeKeys } from "./support/flags.ts";
import { startRestartable } from "./support/restartable-server.ts";

// The npm registry does not have `@statsig/statsig-ai`, so these tests make its calls of `@statsig/statsig-node-core`: a prompt is the param store
// `prompt:NAME`, its `live` and `candidates` are names of dynamic configs, and their values have the messages and parameters.

let server: Awaited<ReturnType<typeof startRestartable>>;
let keys: Awaited<ReturnType<typeof makeKeys>>;
beforeAll(async () => {
  server = await startRestartable();
  keys = await makeKeys(server.client);
});
afterAll(() => server.close());

const POLITE = {
  name: "Polite",
  prompts: [
    { role: "system" as const, content: "You are polite." },
    { role: "user" as const, content: "Greet {{name}}." },
  ],
  provider: "openai",
  model: "small",
  temperature: 0.5,
  top_p: 0.9,
  frequency_penalty: -1,
  presence_penalty: 1,
  max_tokens: 100,
  eval_model: "large",
  workflow_body: { type: "JSON" as const, value: '{"depth":2}' },
};

/** A version as `PromptVersion` reads it. */
function readVersion(sdk: Statsig, configName: string) {
  const config = sdk.getDynamicConfig(new StatsigUser({ userID: "ada" }), configName);
  const read = (parameter: string) => config.getValue(parameter, null);
  const names = ["name", "type", "aiConfigName", "prompts", "provider", "model", "temperature", "topP", "frequencyPenalty"];
  const others = ["presencePenalty", "maxTokens", "evalModel", "workflowBody"];
  return { id: config.name.split(":")[1], ...Object.fromEntries([...names, ...others].map((name) => [name, read(name)])) };
}

/** A prompt as `getPrompt` reads it. */
function readPrompt(sdk: Statsig, name: string) {
  const store = sdk.getParameterStore(new StatsigUser({ userID: "ada" }), `prompt:${name}`);
  const candidates = store.getValue("candidates", []) as string[];
  return { live: readVersion(sdk, store.getValue("live", "")), candidates: candidates.map((one) => readVersion(sdk, one)) };
}

/** What an SDK that starts with a key reads. */
async function readWith(sdkKey: string, name: string) {
  const sdk = new Statsig(sdkKey, {
    specsUrl: `${server.url}/v2/download_config_specs`,
    logEventUrl: `${server.url}/v1/log_event`,
    outputLogLevel: "none",
  });
  await sdk.initialize();
  const prompt = readPrompt(sdk, name);
  await sdk.shutdown(1_000);
  return prompt;
}

test("a server reads the live version and the candidates of a prompt, and a key for browsers reads none", async () => {
  const { client } = server;
  const { id } = (await client.createPrompt({ body: { name: "Greeting" } })).data;
  const polite = (await client.createPromptVersion({ path: { id }, body: POLITE })).data;
  const bare = (await client.createPromptVersion({ path: { id }, body: { name: "Bare" } })).data;
  await client.patchPrompt({ path: { id }, body: { liveVersionID: polite.id } });

  const nothing = { provider: null, model: null, temperature: null, topP: null, frequencyPenalty: null, presencePenalty: null };
  const read = {
    live: {
      ...{ id: polite.id, name: "Polite", type: "Live", aiConfigName: id, prompts: POLITE.prompts },
      ...{ provider: "openai", model: "small", temperature: 0.5, topP: 0.9, frequencyPenalty: -1, presencePenalty: 1 },
      ...{ maxTokens: 100, evalModel: "large", workflowBody: POLITE.workflow_body },
    },
    candidates: [
      {
        ...{ id: bare.id, name: "Bare", type: "Candidate", aiConfigName: id, prompts: [] },
        ...{ ...nothing, maxTokens: null, evalModel: null, workflowBody: null },
      },
    ],
  };
  await waitFor(async () => expect(await readWith(keys.serverKey, id)).toEqual(read));

  await client.patchPrompt({ path: { id }, body: { liveVersionID: bare.id } });
  const swapped = { live: { id: bare.id }, candidates: [{ id: polite.id }] };
  await waitFor(async () => expect(await readWith(keys.serverKey, id)).toMatchObject(swapped));

  expect(await readWith(keys.rulesetKey, id)).toMatchObject({ live: { prompts: null }, candidates: [] });
});
