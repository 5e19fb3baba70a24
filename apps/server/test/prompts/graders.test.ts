import { afterAll, afterEach, describe, expect, test } from "vitest";
import { type Grader, type Rows, SAME, startEvaluating, toRows, type Version } from "../support/evaluating.ts";
import { invalid, refusal } from "../support/server.ts";

const evaluating = await startEvaluating();
const { server, models, make, evaluate } = evaluating;
afterEach(() => models.answer());
afterAll(evaluating.close);

describe("a grader", () => {
  /** The scores of a grader for outputs, each of which the model repeats. */
  async function grade(grader: Omit<Grader, "name">, rows: Rows, version: Version = {}) {
    const { rows: found } = await evaluate({ graders: [{ name: "It", ...grader }], rows, version });
    return found.map(({ scores }) => [scores[0]?.score, scores[0]?.reason]);
  }

  test("compares the whole output with a text, without spaces around both", async () => {
    const rows: Rows = [
      { input: { order: " A lamp\n" }, expected: "A lamp" },
      { input: { order: "A lamp" }, expected: "a lamp" },
      { input: { order: "A lamp" } },
    ];
    const none = [null, "The row has no expected output."];
    expect(await grade({ type: "equals" }, rows)).toEqual([[1, null], [0, null], none]);
    expect(await grade({ type: "equals", ignoreCase: true }, rows)).toEqual([[1, null], [1, null], none]);
    expect(await grade({ type: "equals", value: "A {{thing}}" }, [{ input: { order: "A lamp", thing: "lamp" } }])).toEqual([[1, null]]);
  });

  test("looks for a text in the output", async () => {
    expect(await grade({ type: "contains", value: "lamp" }, toRows("a lamp", "a Lamp", "a pot"))).toEqual([
      [1, null],
      [0, null],
      [0, null],
    ]);
  });

  test("checks JSON against a JSON Schema, and says what is wrong", async () => {
    const schema = JSON.stringify({ type: "object", properties: { price: { type: "number" } }, required: ["price"] });
    expect(await grade({ type: "json_schema", schema }, toRows('{"price":1}', '{"price":"1"}', "{}", "no JSON"))).toEqual([
      [1, null],
      [0, "/price must be number."],
      [0, "/price is required."],
      [0, "The output is not JSON."],
    ]);
  });

  test("matches a pattern, which is stopped if it takes too long", async () => {
    expect(await grade({ type: "regex", pattern: "^a \\p{L}+$" }, toRows("a lämp", "a lamp!"))).toEqual([
      [1, null],
      [0, null],
    ]);
    expect(await grade({ type: "regex", pattern: "^(a+)+$" }, toRows(`${"a".repeat(60)}b`))).toEqual([
      [null, "The pattern takes too long to check. Simplify its patterns and references."],
    ]);
  });

  test("asks the version's eval_model, or the default model, for a score", async () => {
    const grader = { type: "prompt", prompt: "Expected: {{expected}}. Output: {{output}}" } as const;
    models.answer(({ body }) => {
      if (body.messages[0]?.role !== "system") return body.messages[0]?.content ?? "";
      const [, output = ""] = body.messages[1]?.content.split("Output: ") ?? [];
      return output;
    });
    const outputs = ['Sure: {"score":0.25,"reason":"Short."}', '{"score":1}', '{"score":2}', "Good."];
    const none = [null, "The grading model did not answer with a score from 0 to 1."];
    const expected = [[0.25, "Short."], [1, null], none, none];
    expect(await grade(grader, toRows(...outputs), { eval_model: "grader" })).toEqual(expected);
    const grading = models.asked.filter(({ body }) => body.messages.length === 2);
    expect(new Set(grading.map(({ body }) => body.model))).toEqual(new Set(["grader"]));
    expect(grading[0]?.body.messages[1]?.content).toMatch(/^Expected: .*\. Output: /);
    const { evaluation } = await evaluate({ graders: [{ name: "It", ...grader }] });
    expect([evaluation.gradingModel, evaluation.scores]).toEqual(["small", [{ grader: "It", score: null, rows: 0 }]]);
  });

  test("is refused with fields of another type, without its own, with a bad template, pattern or schema, and with the name of another", async () => {
    const { id, datasetID } = await make();
    const set = (...graders: Grader[]) => server.client.patchPrompt({ path: { id }, body: { evaluation: { datasetID, graders } } });
    const refused: [Grader[], string, string][] = [
      [[{ ...SAME, pattern: "a" }], "[0].pattern", "must be left out for the type equals"],
      [[{ name: "a", type: "regex" }], "[0].pattern", "is required for the type regex"],
      [[{ name: "a", type: "regex", pattern: "(" }], "[0].pattern", "must be a regular expression"],
      [[{ name: "a", type: "json_schema", schema: '{"type":"thing"}' }], "[0].schema", expect.any(String) as never],
      [[{ name: "a", type: "prompt", prompt: "Is it good?" }], "[0].prompt", "must contain {{output}}"],
      [[{ name: "a", type: "contains", value: "{{order" }], "[0].value", "must be a Mustache template: Unclosed tag at 7"],
      [[SAME, { ...SAME }], "[1].name", "is the name of an earlier grader"],
    ];
    for (const [graders, place, message] of refused)
      expect(await refusal(set(...graders))).toEqual(invalid([`evaluation.graders${place}`, message]));
    expect(
      (await refusal(server.client.patchPrompt({ path: { id }, body: { evaluation: { datasetID: "none", graders: [SAME] } } }))).status,
    ).toBe(400);
  });
});
