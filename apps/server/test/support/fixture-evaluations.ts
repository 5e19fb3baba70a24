import { byID, type Fixture, makePromptVersion, ownProject } from "./fixture-entities.ts";
import type { TestServer } from "./server.ts";

type Maker = (server: TestServer, name: string) => Promise<Fixture>;

/** Nothing listens there. */
const connect = ({ client }: TestServer) => client.patchModelEndpoint({ body: { url: "http://127.0.0.1:9/v1", defaultModel: "small" } });

/** A version of a prompt that can be evaluated. Evaluations of other fixtures end, since a project has few at a time. */
async function makeVersion(server: TestServer, name: string): Promise<Fixture> {
  const { client, database } = server;
  await connect(server);
  const rows = [{ input: { order: "a lamp" } }];
  const { id: datasetID } = (await client.createPromptDataset({ body: { name: `rows of ${name}`, rows } })).data;
  const graders = [{ name: "Names it", type: "contains" as const, value: "{{order}}" }];
  const { id } = (await client.createPrompt({ body: { name, evaluation: { datasetID, graders } } })).data;
  const prompts = [{ role: "user" as const, content: "{{order}}" }];
  const { data } = await client.createPromptVersion({ path: { id }, body: { name: "First", prompts } });
  await database.prisma.$executeRaw`
    update prompt_evaluation set status = 'CANCELED', "finishedTime" = 1 where "projectID" = ${await ownProject(server)} and "finishedTime" is null`;
  return { parameters: { id, versionID: data.id }, table: "prompt", key: { id } };
}

/** What the operations on prompts, their evaluations and the model endpoint address. */
export const evaluationMakers: Record<string, Maker> = {
  "/console/v1/model_endpoint": async (server) => {
    await connect(server);
    return { parameters: {}, table: "model_endpoint", key: { projectID: await ownProject(server) } };
  },
  "/console/v1/prompts/{id}/versions/{versionID}": ({ client }, name) => makePromptVersion(client, name),
  "/console/v1/prompts/{id}/versions/{versionID}/start_evals": makeVersion,
  "/console/v1/prompts/{id}/evaluations": async (server, name) => {
    const { parameters } = await makeVersion(server, name);
    const { id = "", versionID = "" } = parameters;
    await server.client.startPromptEvaluation({ path: { id, versionID } });
    return byID("prompt", id);
  },
  "/console/v1/prompts/{id}/evaluations/{evaluationID}": async (server, name) => {
    const { parameters } = await makeVersion(server, name);
    const { id = "", versionID = "" } = parameters;
    const { evaluationID } = (await server.client.startPromptEvaluation({ path: { id, versionID } })).data;
    return { parameters: { id, evaluationID }, table: "prompt", key: { id } };
  },
};
