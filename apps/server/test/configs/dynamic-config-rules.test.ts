import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { archived, expectStaleRefused, make, makeArchived, missing, PATH, rule, timeoutSchema } from "../support/dynamic-configs.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const missingRule = (id: string) => ({
  status: 404,
  code: "not_found",
  message: `Rule nope of dynamic config ${id} does not exist.`,
  errors: [],
});

describe("listDynamicConfigRules", () => {
  test("200: in evaluation order, in pages, wrapped in one item", async () => {
    const { id, rules } = await make(server, "listed", { rules: [rule("one"), rule("two"), rule("three")] });
    const path = `${PATH}/${id}/rules`;
    expect((await server.send("GET", `${path}?limit=2`)).body).toEqual({
      message: "Dynamic Config rules read successfully.",
      data: [{ rules: rules.slice(0, 2) }],
      pagination: {
        itemsPerPage: 2,
        pageNumber: 1,
        totalItems: 3,
        nextPage: `${path}?page=2&limit=2`,
        previousPage: null,
        all: path,
      },
    });
    const { data } = await server.client.listDynamicConfigRules({ path: { id }, query: { limit: 2, page: 2 } });
    expect(data).toEqual([{ rules: rules.slice(2) }]);
  });

  test("404: the dynamic config does not exist", async () => {
    expect(await refusal(server.client.listDynamicConfigRules({ path: { id: "nope" } }))).toEqual(missing);
  });
});

describe("getDynamicConfigRule", () => {
  const get = (id: string, ruleId: string) => server.client.getDynamicConfigRule({ path: { id, ruleId } });

  test("200: by its id or its baseID", async () => {
    const { id, rules } = await make(server, "one rule", { rules: [rule("other"), rule("r", { id: "r2", baseID: "r1" })] });
    expect(await get(id, "r2")).toEqual({ message: "Dynamic Config rules read successfully.", data: rules[1] });
    expect((await get(id, "r1")).data).toEqual(rules[1]);
  });

  test("404: the dynamic config or its rule does not exist", async () => {
    const { id } = await make(server, "no rule");
    expect(await refusal(get("nope", "r"))).toEqual(missing);
    expect(await refusal(get(id, "nope"))).toEqual(missingRule(id));
  });
});

describe("patchDynamicConfigRule", () => {
  type Patch = Parameters<TestServer["client"]["patchDynamicConfigRule"]>[0]["body"];
  const patch = (id: string, ruleId: string, body: Patch) => server.client.patchDynamicConfigRule({ path: { id, ruleId }, body });
  const full = rule("r", { id: "r", returnValueJson5: "{ timeout: 1 } // ms", environments: ["production"] });

  test("200: only the given fields change, and the other rules stay", async () => {
    const config = await make(server, "patched rule", { rules: [rule("other"), full] });
    server.clock.now += 1000;
    const { data, message } = await patch(config.id, "r", { passPercentage: 12.5 });
    expect(message).toBe("Dynamic Config rules updated successfully.");
    expect(data).toEqual({
      ...config,
      rules: [config.rules[0], { ...config.rules[1], passPercentage: 12.5 }],
      version: 2,
      lastModifiedTime: server.clock.now,
    });
  });

  test("200: the body of a GET can be edited and sent back; the edited one of value and text wins", async () => {
    const { id } = await make(server, "rule round trip", { rules: [full] });
    const { data: stored } = await server.client.getDynamicConfigRule({ path: { id, ruleId: "r" } });
    expect((await patch(id, "r", stored)).data.rules).toEqual([stored]);
    const byValue = await patch(id, "r", { ...stored, returnValue: { timeout: 2 } });
    expect(byValue.data.rules[0]).toMatchObject({ returnValue: { timeout: 2 }, returnValueJson5: '{"timeout":2}' });
    const byText = await patch(id, "r", { returnValueJson5: "{ timeout: 3 } // s" });
    expect(byText.data.rules[0]).toMatchObject({ returnValue: { timeout: 3 }, returnValueJson5: "{ timeout: 3 } // s" });
  });

  test("200: variants are added, kept by their id, and removed", async () => {
    const { id } = await make(server, "variants", { rules: [full] });
    const variants = [
      { name: "one", passPercentage: 40, returnValue: { timeout: 1 } },
      { name: "two", passPercentage: 60, returnValueJson5: "{ timeout: 2 }" },
    ];
    const [given] = (await patch(id, "r", { variants })).data.rules;
    expect(given?.variants).toEqual([
      { ...variants[0], id: expect.stringMatching(/^\w{22}$/), returnValueJson5: '{"timeout":1}' },
      { ...variants[1], id: expect.stringMatching(/^\w{22}$/), returnValue: { timeout: 2 } },
    ]);
    const [one, two] = given?.variants ?? [];
    const swapped = [
      { ...two, passPercentage: 50 },
      { ...one, passPercentage: 50 },
    ] as Patch["variants"];
    expect((await patch(id, "r", { variants: swapped as NonNullable<Patch["variants"]> })).data.rules[0]?.variants).toEqual(swapped);
    expect((await patch(id, "r", { variants: [] })).data.rules[0]?.variants).toEqual([]);
  });

  test("400: names every violation by its place in the rule, and nothing changes", async () => {
    const config = await make(server, "bad rule", { rules: [rule("other"), full] });
    const body = {
      name: "other",
      passPercentage: 0.001,
      conditions: [{ type: "email" as const, targetValue: ["a"] }],
      variants: [{ name: "v", passPercentage: 50 }],
      returnValueJson5: "{",
    };
    expect(await refusal(patch(config.id, "r", body))).toEqual(
      invalid(
        ["passPercentage", "must be in steps of 0.01"],
        ["conditions[0].operator", "is required with type email"],
        ["returnValueJson5", "is not JSON5: invalid end of input at 1:2"],
        ["variants", "must have pass percentages that sum to 100, not 50"],
        ["name", "must be unique among the rules, but other belongs to another rule"],
      ),
    );
    expect((await server.client.getDynamicConfig({ path: { id: config.id } })).data).toEqual(config);
  });

  test("400: values must satisfy the schema", async () => {
    const { id } = await make(server, "rule schema", { schema: timeoutSchema, rules: [rule("other"), full] });
    const body = { returnValue: { timeout: "a" }, variants: [{ name: "v", passPercentage: 100, returnValue: { timeout: "b" } }] };
    expect(await refusal(patch(id, "r", body))).toEqual(
      invalid(["returnValue.timeout", "must be number (schema)"], ["variants[0].returnValue.timeout", "must be number (schema)"]),
    );
  });

  test("400: id and baseID cannot be changed", async () => {
    const { id } = await make(server, "rule ids", { rules: [full] });
    expect(await refusal(patch(id, "r", { id: "s", baseID: "t" }))).toEqual(
      invalid(["id", "cannot be changed"], ["baseID", "cannot be changed"]),
    );
  });

  test("404: the dynamic config or its rule does not exist", async () => {
    const { id } = await make(server, "patch no rule");
    expect(await refusal(patch("nope", "r", {}))).toEqual(missing);
    expect(await refusal(patch(id, "nope", {}))).toEqual(missingRule(id));
  });
  test("409: the dynamic config is archived", async () => {
    const { id } = await makeArchived(server, "patch rule archived", { rules: [full] });
    expect(await refusal(patch(id, "r", { passPercentage: 1 }))).toEqual(archived(id));
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make(server, "patch rule stale", { rules: [full] });
    await expectStaleRefused(server, "PATCH", id, "/rule/r", { passPercentage: 1 });
  });
});

describe("deleteDynamicConfigRule", () => {
  const remove = (id: string, ruleId: string) => server.client.deleteDynamicConfigRule({ path: { id, ruleId } });

  test("200: the other rules keep their order", async () => {
    const config = await make(server, "less rules", { rules: [rule("one"), rule("two", { id: "r" }), rule("three")] });
    const { data, message } = await remove(config.id, "r");
    expect(message).toBe("Dynamic Config rule deleted successfully.");
    expect(data).toEqual({ ...config, rules: [config.rules[0], config.rules[2]], version: 2, lastModifiedTime: server.clock.now });
  });

  test("404: the dynamic config or its rule does not exist", async () => {
    const { id } = await make(server, "delete no rule");
    expect(await refusal(remove("nope", "r"))).toEqual(missing);
    expect(await refusal(remove(id, "nope"))).toEqual(missingRule(id));
  });
  test("409: the dynamic config is archived", async () => {
    const { id } = await makeArchived(server, "delete rule archived", { rules: [rule("r", { id: "r" })] });
    expect(await refusal(remove(id, "r"))).toEqual(archived(id));
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make(server, "delete rule stale", { rules: [rule("r", { id: "r" })] });
    await expectStaleRefused(server, "DELETE", id, "/rule/r");
  });
});
