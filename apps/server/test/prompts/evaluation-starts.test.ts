import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Started, startEvaluating, toRows } from "../support/evaluating.ts";
import { makeKey } from "../support/keys.ts";
import { failing } from "../support/model-server.ts";
import { invalid, refusal } from "../support/server.ts";

const evaluating = await startEvaluating();
const { server, models, connect, make, start, get, run } = evaluating;
beforeEach(connect);
afterEach(() => models.answer());
afterAll(evaluating.close);

describe("startPromptEvaluation", () => {
  const refused = async (path: { id: string; versionID: string }) => (await refusal(server.client.startPromptEvaluation({ path }))).message;

  test("409: names what is missing", async () => {
    const prompt = await make();
    await server.client.patchPrompt({ path: { id: prompt.id }, body: { evaluation: null } });
    expect(await refused(prompt)).toBe(`Prompt ${prompt.id} has no evaluation. Set its dataset and graders first.`);
    const empty = await make({ rows: [] });
    expect(await refused(empty)).toBe(`Prompt dataset ${empty.datasetID} has no rows.`);
    await server.client.deletePromptDataset({ path: { id: empty.datasetID }, query: { forceArchive: true } });
    expect(await refused(empty)).toBe(`Prompt dataset ${empty.datasetID} does not exist.`);
    expect(await refused(await make({ version: { prompts: [] } }))).toBe("Version First has no messages.");
    const broken = await make({ version: { prompts: [{ role: "user", content: "{{#a}}" }] } });
    expect(await refused(broken)).toMatch(/^Version First cannot be rendered. A message must be a Mustache template: /);
    await server.client.patchModelEndpoint({ body: { defaultModel: null } });
    const nameless = await make();
    expect(await refused(nameless)).toBe("Version First names no model, and the model endpoint has no default model.");
    await server.client.deleteModelEndpoint({});
    expect(await refused(nameless)).toBe("The project has no model endpoint. Connect one first.");
  });

  test("409: while 20 evaluations of the project wait or run", async () => {
    const prompt = await make();
    const all = [];
    for (let index = 0; index < 20; index++) all.push(await start(prompt));
    expect(await refused(prompt)).toBe("The project has 20 evaluations that wait or run, which is the maximum. Cancel one first.");
    await run();
    expect(await get(all[19] as Started)).toMatchObject({ status: "COMPLETED" });
  });

  test("404: names the prompt or the version that does not exist", async () => {
    const { id } = await make();
    expect(await refused({ id, versionID: "none" })).toBe("Prompt version none does not exist.");
    expect(await refused({ id: "none", versionID: "none" })).toBe("Prompt none does not exist.");
  });
});

describe("previewPrompt and runPrompt", () => {
  type Body = Parameters<typeof server.client.previewPrompt>[0]["body"];
  const preview = async ({ id }: { id: string }, body: Body) => (await server.client.previewPrompt({ path: { id }, body })).data;
  const runPrompt = async ({ id }: { id: string }, body: object) =>
    (await server.client.runPrompt({ path: { id }, body: { prompts: [{ role: "user", content: "Order {{order}}" }], ...body } })).data;

  test("render given values or a row of a dataset without escapes, and name placeholders without a value", async () => {
    const content = "{{#polite}}Please {{/polite}}{{^polite}}Now {{/polite}}order {{&order}} {{a.b}}{{constructor}}{{toString}}";
    const prompts = [{ role: "user" as const, content }];
    const prompt = await make({ rows: toRows("<a lamp>") });
    const missing = ["a.b", "constructor", "toString"];
    expect(await preview(prompt, { prompts, input: { order: "a & b", polite: "yes" } })).toEqual({
      ...{ messages: [{ role: "user", content: "Please order a & b " }], missing },
    });
    const ofRow = { messages: [{ role: "user", content: "Now order <a lamp> " }], missing };
    expect(await preview(prompt, { prompts, row: 1 })).toEqual(ofRow);
    expect(await preview(prompt, { prompts, row: 1, datasetID: prompt.datasetID })).toEqual(ofRow);
    expect((await preview(prompt, { prompts })).missing).toEqual(["order", ...missing]);
  });

  test("refuse values together with a row, rows that don't exist, and messages that can't be rendered", async () => {
    const prompt = await make();
    const prompts = [{ role: "user" as const, content: "{{#a}}".repeat(7_000) + "{{/a}}".repeat(7_000) }];
    expect(await refusal(preview(prompt, { prompts, input: {}, row: 1 }))).toEqual(invalid(["input", "must be left out with row"]));
    expect(await refusal(preview(prompt, { prompts, datasetID: prompt.datasetID }))).toEqual(
      invalid(["row", "is required with datasetID"]),
    );
    expect((await refusal(preview(prompt, { prompts, row: 9 }))).message).toBe(
      `Row of prompt dataset ${prompt.datasetID} 9 does not exist.`,
    );
    expect(await refusal(preview(prompt, { prompts, input: { a: "x" } }))).toEqual(
      invalid(["prompts", "A message cannot be rendered: its sections are nested too deep."]),
    );
    const broken = refusal(runPrompt(prompt, { prompts: [...prompts, { role: "user", content: "{{#a}}" }] }));
    expect(await broken).toMatchObject({
      errors: [{ property: "prompts[1].content", errorMessage: expect.stringMatching(/^must be a Mustache template: /) }],
    });
    await server.client.patchPrompt({ path: { id: prompt.id }, body: { evaluation: null } });
    expect(await refusal(preview(prompt, { prompts, row: 1 }))).toEqual(
      invalid(["datasetID", "is required with row, since the prompt has no evaluation"]),
    );
  });

  test("a run sends the messages with their values and parameters to the model once, and returns its output", async () => {
    const prompt = await make();
    models.answer(({ body }) => `You said: ${body.messages.at(-1)?.content}`);
    const parameters = { model: "large", temperature: 0.5, top_p: 0.9, frequency_penalty: 0.1, presence_penalty: -0.1, max_tokens: 50 };
    const messages = [{ role: "user", content: "Order tea & milk" }];
    expect(await runPrompt(prompt, { ...parameters, input: { order: "tea & milk" } })).toEqual({
      ...{ messages, missing: [], model: "large", output: "You said: Order tea & milk", reason: null, durationMs: expect.any(Number) },
    });
    expect(models.asked.map(({ body }) => body)).toEqual([{ ...parameters, messages }]);
  });

  test("a run says why there is no output", async () => {
    const prompt = await make();
    models.answer(() => failing(500, "Overloaded."));
    const failed = await runPrompt(prompt, {});
    expect(failed).toMatchObject({ output: null, reason: "The endpoint answered 500: Overloaded.", durationMs: expect.any(Number) });
    await server.client.patchModelEndpoint({ body: { defaultModel: null } });
    const nameless = { model: null, output: null, reason: "Neither the request nor the model endpoint names a model.", durationMs: null };
    expect(await runPrompt(prompt, {})).toMatchObject(nameless);
    await server.client.deleteModelEndpoint({});
    expect(await runPrompt(prompt, { model: "large" })).toMatchObject({ output: null, reason: "The project has no model endpoint." });
  });
});

test("Only callers with the permission integrations_edit_access change the endpoint, and members evaluate versions", async () => {
  const prompt = await make();
  const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
  const path = `/console/v1/prompts/${prompt.id}/versions/${prompt.versionID}`;
  const statusOf = async (method: string, url: string, body?: object) =>
    (await server.send(method, url, { key, ...(body && { body }) })).status;
  expect(await statusOf("POST", `${path}/start_evals`)).toBe(403);
  expect(await statusOf("PATCH", "/console/v1/model_endpoint", { defaultModel: "large" })).toBe(403);
  expect(await statusOf("GET", "/console/v1/model_endpoint")).toBe(200);
  const prompts = [{ role: "user", content: "Hello" }];
  expect(await statusOf("POST", `/console/v1/prompts/${prompt.id}/preview`, { prompts })).toBe(200);
  expect(await statusOf("POST", `/console/v1/prompts/${prompt.id}/run`, { prompts })).toBe(403);
});
