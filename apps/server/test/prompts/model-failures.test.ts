import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { startEvaluating, toRows } from "../support/evaluating.ts";
import { failing } from "../support/model-server.ts";

const evaluating = await startEvaluating();
const { server, models, connect, make, start, get, run, evaluate } = evaluating;
beforeEach(connect);
afterEach(() => models.answer());
afterAll(evaluating.close);

describe("a model that fails", () => {
  test("is asked again after 429 and 5xx, and once after other errors, which fail the row", async () => {
    const answers = [failing(429, "Slow down.", {}, { "Retry-After": "0" }), failing(500, "Oops."), failing(502, "Oops.")];
    models.answer(({ body }) => answers.shift() ?? body.messages[0]?.content ?? "");
    expect(await evaluate({})).toMatchObject({ evaluation: { status: "COMPLETED", score: 1 } });
    expect(models.asked).toHaveLength(4);
    models.answer(() => failing(400, "No such parameter."));
    const { evaluation, rows } = await evaluate({});
    expect(evaluation).toMatchObject({ status: "COMPLETED", completedRows: 0, failedRows: 1, score: null });
    expect(rows).toMatchObject([{ status: "FAILED", message: "The endpoint answered 400: No such parameter.", output: null, scores: [] }]);
    expect(models.asked).toHaveLength(1);
    models.answer(() => failing(503, "Oops."));
    expect(await evaluate({})).toMatchObject({ rows: [{ message: "The endpoint answered 503: Oops." }] });
    expect(models.asked).toHaveLength(5);
  });

  test("ends the evaluation at once if the key is wrong, and never shows it", async () => {
    models.answer(() => failing(401, "Incorrect API key provided: sk-right."));
    const { evaluation, rows } = await evaluate({ rows: toRows(...Array.from({ length: 9 }, (_, index) => `${index}`)) });
    expect(evaluation).toMatchObject({ status: "FAILED", message: "The endpoint answered 401: Incorrect API key provided: [API key]." });
    expect(models.asked.length).toBeLessThanOrEqual(4);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["PENDING"]));
  });

  test("ends the evaluation after ten failed rows in a row", async () => {
    models.answer(() => failing(404, "No such model."));
    const { evaluation } = await evaluate({ rows: toRows(...Array.from({ length: 30 }, (_, index) => `${index}`)) });
    const message = "10 rows in a row failed. The last one: The endpoint answered 404: No such model.";
    expect(evaluation).toMatchObject({ status: "FAILED", message, failedRows: 10 });
    expect(models.asked.length).toBeLessThan(20);
  });

  test("of OpenAI that refuses max_tokens is asked with max_completion_tokens", async () => {
    models.answer(({ body }) =>
      "max_tokens" in body ? failing(400, "Unsupported parameter.", { param: "max_tokens" }) : (body.messages[0]?.content ?? ""),
    );
    expect(await evaluate({ version: { max_tokens: 7 } })).toMatchObject({ evaluation: { score: 1 } });
    expect(models.asked.map(({ body }) => [body.max_tokens, body.max_completion_tokens])).toEqual([
      [7, undefined],
      [undefined, 7],
    ]);
  });

  test("fails rows whose messages get too long, and stores what the database can't store in another form", async () => {
    const prompts = [{ role: "user" as const, content: "{{order}}".repeat(30) }];
    const long = await evaluate({ rows: [{ input: { order: "x".repeat(20_000) } }], version: { prompts } });
    expect(long.rows).toMatchObject([{ message: "The messages are longer than 500000 characters with their values." }]);
    models.answer(() => `\0\ud800${"y".repeat(20_000)}`);
    expect((await evaluate({})).rows).toMatchObject([{ output: `\uFFFD\uFFFD${"y".repeat(9_998)}` }]);
  });

  test("at a deleted endpoint fails the evaluation", async () => {
    const started = await start(await make());
    await server.client.deleteModelEndpoint({});
    await run();
    expect(await get(started)).toMatchObject({ status: "FAILED", message: "The project has no model endpoint." });
  });
});
