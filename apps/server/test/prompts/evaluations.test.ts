import { afterAll, afterEach, describe, expect, test } from "vitest";
import { deleteOldPromptEvaluations } from "../../src/jobs/prompt-evaluations.ts";
import { type Grader, ORDER, type Rows, SAME, startEvaluating, toRows, type Version } from "../support/evaluating.ts";
import { complete } from "../support/model-server.ts";
import { refusal } from "../support/server.ts";

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

const evaluating = await startEvaluating();
const { server, models, make, start, get, rowsOf, run, evaluate, hold } = evaluating;
afterEach(() => models.answer());
afterAll(evaluating.close);

describe("an evaluation", () => {
  test("asks the version's model about each row with its messages and parameters, and answers scores per row and grader", async () => {
    const version: Version = {
      prompts: [
        { role: "system", content: "Be {{tone}}." },
        { role: "user", content: "<b>{{order}}</b>{{missing}}" },
      ],
      ...{ model: "large", temperature: 0.2, top_p: 0.5, frequency_penalty: 1, presence_penalty: -1, max_tokens: 20 },
    };
    const rows: Rows = [
      { input: { tone: "polite", order: 'two "mugs" & a pot' }, expected: '<b>two "mugs" & a pot</b>' },
      { input: { tone: "brief", order: "a lamp" }, expected: "A LAMP" },
    ];
    const contains: Grader = { name: "Names it", type: "contains", ignoreCase: true };
    const prompt = await make({ graders: [SAME, contains], rows, version });
    const { data } = await server.client.startPromptEvaluation({ path: prompt });
    expect(data).toEqual({ id: prompt.versionID, name: "First", evaluationID: data.evaluationID });
    const started = { id: prompt.id, evaluationID: data.evaluationID };
    const { createdTime } = await get(started);
    const beginning = {
      ...{ id: data.evaluationID, versionID: prompt.versionID, versionName: "First", model: "large", gradingModel: null, message: null },
      ...{
        datasetID: prompt.datasetID,
        datasetName: expect.stringMatching(/^Rows /),
        datasetVersion: 1,
        graders: [SAME, contains],
        rows: 2,
        failedRows: 0,
      },
      ...{ creatorName: "CONSOLE API", createdTime },
    };
    expect(await get(started)).toEqual({
      ...{ ...beginning, status: "QUEUED", completedRows: 0, score: null, startedTime: null, finishedTime: null },
      scores: [
        { grader: "Same", score: null, rows: 0 },
        { grader: "Names it", score: null, rows: 0 },
      ],
    });
    await run();
    expect(await get(started)).toEqual({
      ...{ ...beginning, status: "COMPLETED", completedRows: 2, score: 0.75 },
      scores: [
        { grader: "Same", score: 0.5, rows: 2 },
        { grader: "Names it", score: 1, rows: 2 },
      ],
      ...{ startedTime: server.clock.now, finishedTime: server.clock.now },
    });
    expect(await rowsOf(started)).toEqual([
      {
        ...{ row: 1, ...rows[0], status: "COMPLETED", output: '<b>two "mugs" & a pot</b>', message: null, durationMs: expect.any(Number) },
        scores: [
          { grader: "Same", score: 1, reason: null },
          { grader: "Names it", score: 1, reason: null },
        ],
      },
      {
        ...{ row: 2, ...rows[1], status: "COMPLETED", output: "<b>a lamp</b>", message: null, durationMs: expect.any(Number) },
        scores: [
          { grader: "Same", score: 0, reason: null },
          { grader: "Names it", score: 1, reason: null },
        ],
      },
    ]);
    const { prompts: _, ...parameters } = version;
    const asked = models.asked.toSorted((a, b) => JSON.stringify(b).localeCompare(JSON.stringify(a)));
    expect(asked.map(({ key, body }) => ({ key, body }))).toEqual(
      rows.map(({ input }) => ({
        key: "sk-right",
        body: {
          ...parameters,
          messages: [
            { role: "system", content: `Be ${input.tone}.` },
            { role: "user", content: `<b>${input.order}</b>` },
          ],
        },
      })),
    );
  });

  test("keeps rows, messages and graders as they were when it started", async () => {
    const prompt = await make({ rows: toRows("a lamp") });
    const started = await start(prompt);
    await server.client.patchPromptDataset({ path: { id: prompt.datasetID }, body: { rows: toRows("a pot") } });
    await server.client.patchPrompt({ path: { id: prompt.id }, body: { evaluation: null } });
    await server.client.deletePromptVersion({ path: prompt });
    await server.client.deletePromptDataset({ path: { id: prompt.datasetID } });
    await run();
    expect(await get(started)).toMatchObject({ status: "COMPLETED", score: 1, datasetVersion: 1, graders: [SAME] });
    expect(await rowsOf(started)).toMatchObject([{ input: { order: "a lamp" }, output: "a lamp" }]);
  });

  test("is recorded in the audit log at its start and when it is canceled", async () => {
    const prompt = await make();
    const started = await start(prompt);
    await server.client.cancelPromptEvaluation({ path: started });
    const { data } = await server.client.listAuditLogs({ query: { limit: 2 } });
    const of = { promptID: { old: null, new: prompt.id }, versionID: { old: null, new: prompt.versionID } };
    expect(data).toMatchObject([
      { operationID: "cancelPromptEvaluation", changes: { ...of, status: { old: null, new: "CANCELED" } } },
      { operationID: "startPromptEvaluation", changes: { ...of, rows: { old: null, new: 1 } } },
    ]);
    for (const { entityType, entityID, version } of data)
      expect([entityType, entityID, version]).toEqual(["prompt_evaluation", started.evaluationID, null]);
  });

  test("is deleted a year after it finished, with its rows", async () => {
    const { evaluationID, id } = await evaluate({});
    const env = { database: server.database, log: server.log, now: () => server.clock.now };
    server.clock.now += YEAR_MS;
    await deleteOldPromptEvaluations.run(env);
    expect((await server.client.listPromptEvaluations({ path: { id } })).data).toHaveLength(1);
    server.clock.now += 1;
    await deleteOldPromptEvaluations.run(env);
    expect((await server.client.listPromptEvaluations({ path: { id } })).data).toEqual([]);
    expect(await server.database.prisma.promptEvaluationRow.count({ where: { evaluationID } })).toBe(0);
  });
});

describe("an interrupted evaluation", () => {
  test("is continued by another server after a stop, which asks only about rows without an answer", async () => {
    const started = await start(await make({ rows: toRows("a", "b", "c", "d", "e", "f") }));
    const stop = new AbortController();
    models.answer(({ body }) => (response) => {
      const content = body.messages[0]?.content ?? "";
      // The second batch of requests waits until the server stops.
      if (content > "d") stop.abort();
      else complete(response, content);
    });
    await run({ stopping: stop.signal });
    const stopped = await rowsOf(started);
    const answered = stopped.flatMap(({ status, input }) => (status === "COMPLETED" ? [String(input.order)] : []));
    expect(answered.length).toBeGreaterThan(0);
    expect(answered.length).toBeLessThanOrEqual(4);
    expect(await get(started)).toMatchObject({ status: "RUNNING", completedRows: answered.length, score: 1 });
    models.answer();
    const other = await server.replica();
    await run({ at: other });
    await other.close();
    expect(await get(started)).toMatchObject({ status: "COMPLETED", completedRows: 6, score: 1 });
    expect(models.asked.map(({ body }) => body.messages[0]?.content).toSorted()).toEqual(
      ["a", "b", "c", "d", "e", "f"].filter((one) => !answered.includes(one)),
    );
  });

  test("is executed by one of several servers at a time", async () => {
    const held = hold();
    const started = await start(await make());
    const first = run();
    await held.asked;
    await run();
    held.go();
    await first;
    expect(models.asked).toHaveLength(1);
    expect(await get(started)).toMatchObject({ status: "COMPLETED", completedRows: 1 });
  });

  test("is taken over when its server has not renewed the lease, and the first one stores nothing more", async () => {
    const held = hold();
    const started = await start(await make());
    const first = run();
    await held.asked;
    await server.database.prisma.$executeRaw`
      update prompt_evaluation set runner = 'another', "leasedUntil" = ${server.clock.now + 60_000} where id = ${started.evaluationID}`;
    held.go();
    await first;
    expect(await get(started)).toMatchObject({ status: "RUNNING", completedRows: 0 });
    expect(await rowsOf(started)).toMatchObject([{ status: "PENDING" }]);
    models.answer();
    server.clock.now += 60_001;
    await run();
    expect(await get(started)).toMatchObject({ status: "COMPLETED", completedRows: 1 });
  });
});

describe("cancelPromptEvaluation", () => {
  test("stops an evaluation that waits or runs, and keeps the scores so far", async () => {
    const held = hold();
    const waiting = await start(await make());
    expect((await server.client.cancelPromptEvaluation({ path: waiting })).data).toMatchObject({ status: "CANCELED", startedTime: null });
    const running = await start(await make());
    const execution = run();
    await held.asked;
    await server.client.cancelPromptEvaluation({ path: running });
    held.go();
    await execution;
    expect(models.asked).toHaveLength(1);
    expect(await get(running)).toMatchObject({ status: "CANCELED", completedRows: 0, finishedTime: server.clock.now });
    expect(await refusal(server.client.cancelPromptEvaluation({ path: running }))).toMatchObject({
      ...{ status: 409, message: `Evaluation ${running.evaluationID} has finished: its status is CANCELED.` },
    });
  });
});

describe("listPromptEvaluations", () => {
  test("lists those of a prompt, newest first, by version and status", async () => {
    const prompt = await make();
    const second = (await server.client.createPromptVersion({ path: prompt, body: { name: "Second", prompts: ORDER } })).data.id;
    const first = await start(prompt);
    server.clock.now += 1;
    const other = await start({ id: prompt.id, versionID: second });
    await server.client.cancelPromptEvaluation({ path: first });
    const list = async (query: object = {}) =>
      (await server.client.listPromptEvaluations({ path: { id: prompt.id }, query })).data.map(({ id }) => id);
    expect(await list()).toEqual([other.evaluationID, first.evaluationID]);
    expect(await list({ versionID: second })).toEqual([other.evaluationID]);
    expect(await list({ status: "CANCELED" })).toEqual([first.evaluationID]);
    expect(
      await refusal(server.client.getPromptEvaluation({ path: { id: (await make()).id, evaluationID: first.evaluationID } })),
    ).toMatchObject({
      ...{ status: 404, message: `Prompt evaluation ${first.evaluationID} does not exist.` },
    });
    await run();
  });
});
