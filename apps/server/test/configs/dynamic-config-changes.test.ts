import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { archived, expectStaleRefused, make, makeArchived, missing, PATH, rule, timeoutSchema } from "../support/dynamic-configs.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe("updateDynamicConfig", () => {
  const post = (id: string, body: object) => server.send("POST", `${PATH}/${id}`, { body });
  const full = {
    defaultValueJson5: "{ timeout: 1 } // ms",
    schemaJson5: "{ properties: { timeout: { type: 'number' } } } // s",
    owner: null,
    rules: [
      rule("r", {
        returnValueJson5: "{ timeout: 2 } // ms",
        variants: [{ name: "v", passPercentage: 100, returnValueJson5: "{ timeout: 3 } // ms" }],
      }),
    ],
  };

  test("200: the body of a GET can be edited and sent back without loss", async () => {
    const config = await make(server, "round trip", full);
    server.clock.now += 1000;
    const answer = await post(config.id, { ...config, description: "edited" });
    expect(answer.body).toEqual({
      message: "Dynamic config updated successfully.",
      data: { ...config, description: "edited", version: 2, lastModifiedTime: server.clock.now },
    });
  });

  test("200: if only the object of a GET's body was edited, the text is updated from it", async () => {
    const config = await make(server, "edit objects", full);
    const [before] = config.rules as [any];
    const rules = [{ ...before, returnValue: { timeout: 5 }, variants: [{ ...before.variants[0], returnValue: { timeout: 6 } }] }];
    const schema = '{"properties":{"timeout":{"type":"integer"}}}';
    const { body } = await post(config.id, { ...config, defaultValue: { timeout: 4 }, rules, schema });
    expect(body.data).toMatchObject({
      defaultValue: { timeout: 4 },
      defaultValueJson5: '{"timeout":4}',
      schema,
      schemaJson5: schema,
      rules: [
        {
          returnValue: { timeout: 5 },
          returnValueJson5: '{"timeout":5}',
          variants: [{ returnValue: { timeout: 6 }, returnValueJson5: '{"timeout":6}' }],
        },
      ],
    });
  });

  test("200: if only the text of a GET's body was edited, the object is updated from it", async () => {
    const config = await make(server, "edit texts", full);
    const rules = [{ ...config.rules[0], returnValueJson5: "{ timeout: 5 } // s" }];
    const { body } = await post(config.id, { ...config, defaultValueJson5: "{ timeout: 4 } // s", rules, schemaJson5: "{} // any" });
    expect(body.data).toMatchObject({
      defaultValue: { timeout: 4 },
      defaultValueJson5: "{ timeout: 4 } // s",
      schema: "{}",
      schemaJson5: "{} // any",
      rules: [{ returnValue: { timeout: 5 }, returnValueJson5: "{ timeout: 5 } // s" }],
    });
  });

  test("200: omitted fields keep their value; a null schema clears its text", async () => {
    const config = await make(server, "partly", { ...full, tags: ["kept"] });
    const { body } = await post(config.id, { isEnabled: false, description: "", rules: [], schema: null });
    expect(body.data).toMatchObject({
      status: "Disabled",
      tags: ["kept"],
      rules: [],
      defaultValue: { timeout: 1 },
      defaultValueJson5: "{ timeout: 1 } // ms",
      schema: null,
      schemaJson5: null,
      owner: null,
    });
  });

  test("400: an object and a text that were both edited and disagree", async () => {
    const config = await make(server, "contradiction", full);
    const rules = [{ ...config.rules[0], returnValue: { timeout: 5 }, returnValueJson5: "{ timeout: 6 }" }];
    const edits = { defaultValue: { timeout: 4 }, defaultValueJson5: "{ timeout: 7 }", schema: "{}", schemaJson5: "{ minProperties: 1 }" };
    const { body } = await post(config.id, { ...config, ...edits, rules });
    const { status, code, message, errors } = invalid(
      ["rules[0].returnValueJson5", "must mean the same as rules[0].returnValue. Omit one of them"],
      ["defaultValueJson5", "must mean the same as defaultValue. Omit one of them"],
      ["schemaJson5", "must mean the same as schema. Omit one of them"],
    );
    expect(body).toEqual({ status, code, message, errors });
  });

  test("404: the dynamic config does not exist", async () => {
    const body = { isEnabled: true, description: "", rules: [] };
    expect(await refusal(server.client.updateDynamicConfig({ path: { id: "nope" }, body }))).toEqual(missing);
  });
  test("409: the dynamic config is archived", async () => {
    const { id } = await makeArchived(server, "update archived");
    const body = { isEnabled: true, description: "", rules: [] };
    expect(await refusal(server.client.updateDynamicConfig({ path: { id }, body }))).toEqual(archived(id));
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make(server, "update stale");
    await expectStaleRefused(server, "POST", id, "", { isEnabled: true, description: "", rules: [] });
  });
});

describe("patchDynamicConfig", () => {
  const patch = (id: string, body: object) => server.client.patchDynamicConfig({ path: { id }, body });

  test("200: only the given fields change", async () => {
    const config = await make(server, "patched", { defaultValueJson5: "{ a: 1 } // one", rules: [rule("r")] });
    const owner = { ownerID: "ada", ownerType: "USER" as const, ownerName: "Ada", ownerEmail: "" };
    const { data, message } = await patch(config.id, { defaultValue: { a: 2 }, owner });
    expect(message).toBe("Dynamic config updated successfully.");
    expect(data).toEqual({
      ...config,
      defaultValue: { a: 2 },
      defaultValueJson5: '{"a":2}',
      owner,
      version: 2,
      lastModifiedTime: server.clock.now,
    });
  });

  test("200: a value and its schema can change together", async () => {
    const { id } = await make(server, "together", { schema: timeoutSchema, defaultValue: { timeout: 1 } });
    const { data } = await patch(id, { schema: '{"properties":{"timeout":{"type":"string"}}}', defaultValue: { timeout: "1s" } });
    expect(data.defaultValue).toEqual({ timeout: "1s" });
  });

  test("400: a new schema must allow the stored values", async () => {
    const { id } = await make(server, "stand", { defaultValue: { timeout: "a" }, rules: [rule("r", { returnValue: { timeout: "b" } })] });
    expect(await refusal(patch(id, { schema: timeoutSchema }))).toEqual(
      invalid(["defaultValue.timeout", "must be number (schema)"], ["rules[0].returnValue.timeout", "must be number (schema)"]),
    );
  });

  test("400: new values must satisfy the stored schema", async () => {
    const { id } = await make(server, "satisfy", { schema: timeoutSchema });
    expect(await refusal(patch(id, { rules: [rule("r", { returnValue: { timeout: "b" } })] }))).toEqual(
      invalid(["rules[0].returnValue.timeout", "must be number (schema)"]),
    );
    expect(await refusal(patch(id, { defaultValueJson5: "{ timeout: null }" }))).toEqual(
      invalid(["defaultValue.timeout", "must be number (schema)"]),
    );
  });

  test("400: a schema that takes too long does not block other requests", async () => {
    const { id } = await make(server, "slow schema", { defaultValue: { a: `${"a".repeat(60)}b` } });
    let isChecking = true;
    const refused = refusal(patch(id, { schema: '{"properties":{"a":{"pattern":"^(a+)+$"}}}' })).finally(() => {
      isChecking = false;
    });
    for (let count = 0; count < 3; count += 1) expect((await server.send("GET", "/livez")).status).toBe(200);
    expect(isChecking).toBe(true);
    expect(await refused).toEqual(invalid(["schema", "takes too long to check. Simplify its patterns and references"]));
  });

  test("400: a schema that is not JSON5, is not a JSON Schema, or takes too long", async () => {
    const { id } = await make(server, "bad schema", { defaultValue: { a: `${"a".repeat(60)}b` } });
    expect(await refusal(patch(id, { schema: "{" }))).toEqual(invalid(["schema", "is not JSON5: invalid end of input at 1:2"]));
    expect(await refusal(patch(id, { schema: '{"$ref":"https://example.com/a.json"}' }))).toEqual(
      invalid(["schema", "is not a valid JSON Schema: can't resolve reference https://example.com/a.json from id #"]),
    );
    expect(await refusal(patch(id, { schema: '{"properties":{"a":{"pattern":"^(a+)+$"}}}' }))).toEqual(
      invalid(["schema", "takes too long to check. Simplify its patterns and references"]),
    );
  });

  test("404: the dynamic config does not exist", async () => {
    expect(await refusal(patch("nope", { description: "x" }))).toEqual(missing);
  });
  test("409: the dynamic config is archived", async () => {
    const { id } = await makeArchived(server, "patch archived");
    expect(await refusal(patch(id, { description: "x" }))).toEqual(archived(id));
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make(server, "patch stale");
    await expectStaleRefused(server, "PATCH", id, "", { description: "x" });
  });
});
