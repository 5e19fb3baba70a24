import { promptEvaluations } from "../../src/jobs/prompt-evaluations.ts";
import { createSchemaChecker } from "../../src/schema-checks/schema-checker.ts";
import { complete, startModelServer } from "./model-server.ts";
import { startServer, type TestServer } from "./server.ts";

type Client = TestServer["client"];
export type Grader = NonNullable<Parameters<Client["createPrompt"]>[0]["body"]["evaluation"]>["graders"][number];
export type Rows = NonNullable<Parameters<Client["createPromptDataset"]>[0]["body"]["rows"]>;
export type Version = Omit<Parameters<Client["createPromptVersion"]>[0]["body"], "name">;
type Made = { graders?: Grader[]; rows?: Rows; version?: Version };
/** The path of an evaluation. */
export type Started = { id: string; evaluationID: string };

export const SAME: Grader = { name: "Same", type: "equals" };
export const ORDER = [{ role: "user" as const, content: "{{order}}" }];
export const toRows = (...orders: string[]): Rows => orders.map((order) => ({ input: { order }, expected: order }));

/** Starts a server with a model, and what tests of evaluations do with both. */
export async function startEvaluating() {
  const [server, models] = [await startServer(), await startModelServer()];
  const { client } = server;
  const checker = createSchemaChecker();
  let count = 0;

  const connect = () => client.patchModelEndpoint({ body: { url: models.url, apiKey: "sk-right", defaultModel: "small" } });

  /** A prompt with a version and a dataset. */
  async function make({ graders = [SAME], rows = toRows("a lamp"), version = {} }: Made = {}) {
    const { id: datasetID } = (await client.createPromptDataset({ body: { name: `Rows ${++count}`, rows } })).data;
    const { id } = (await client.createPrompt({ body: { name: `Prompt ${count}`, evaluation: { datasetID, graders } } })).data;
    const { data } = await client.createPromptVersion({ path: { id }, body: { name: "First", prompts: ORDER, ...version } });
    return { id, versionID: data.id, datasetID };
  }

  async function start({ id, versionID }: { id: string; versionID: string }): Promise<Started> {
    return { id, evaluationID: (await client.startPromptEvaluation({ path: { id, versionID } })).data.evaluationID };
  }
  const get = async (path: Started) => (await client.getPromptEvaluation({ path })).data;
  const rowsOf = async (path: Started) => (await client.listPromptEvaluationRows({ path })).data;

  /** Executes evaluations until none waits. */
  function run({ stopping, at = server }: { stopping?: AbortSignal; at?: TestServer } = {}) {
    const job = promptEvaluations({ checkSchema: checker.check, firstPauseMs: 1 });
    return job.run({ database: at.database, log: at.log, now: () => at.clock.now, ...(stopping && { stopping }) });
  }

  /** Starts an evaluation and waits for its end. */
  async function evaluate(given: Made) {
    const started = await start(await make(given));
    await run();
    return { ...started, evaluation: await get(started), rows: await rowsOf(started) };
  }

  /** Keeps models from answering until `go` is called. `asked` resolves when the first one is asked. */
  function hold() {
    let [isAsked, go] = [() => {}, () => {}];
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    models.answer(({ body }) => (response) => {
      isAsked();
      gone.then(() => complete(response, body.messages[0]?.content));
    });
    return { asked, go: () => go() };
  }

  async function close() {
    models.close();
    await Promise.all([server.close(), checker.close()]);
  }
  await connect();
  return { server, models, connect, make, start, get, rowsOf, run, evaluate, hold, close };
}
