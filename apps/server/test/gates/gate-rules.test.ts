import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const rule = (name: string, more: object = {}) => ({ name, passPercentage: 100, conditions: [], ...more });

async function make(name: string, rules = [rule("First"), rule("Second")]) {
  const { data } = await server.client.createGate({ body: { name, rules } });
  const [first, second] = data.rules.map(({ id }) => id as string) as [string, string];
  return { gate: data, path: { id: data.id }, first, second };
}

describe("listGateRules", () => {
  test("200: one page of the rules, in their order", async () => {
    const { gate, path } = await make("listed rules");
    const { data, pagination } = await server.client.listGateRules({ path, query: { limit: 1, page: 2 } });
    expect(data).toEqual([{ rules: [gate.rules[1]] }]);
    expect(pagination).toMatchObject({
      totalItems: 2,
      nextPage: null,
      previousPage: "/console/v1/gates/listed_rules/rules?page=1&limit=1",
    });
  });
});

describe("addGateRule and addGateRules", () => {
  test("200: append rules to the existing ones, which keep their ids", async () => {
    const { gate, path } = await make("added rules");
    await server.client.addGateRule({ path, body: rule("Third") });
    const { data, message } = await server.client.addGateRules({ path, body: { rules: [rule("Fourth"), rule("Fifth")] } });
    expect(message).toBe("Gate rules added successfully.");
    expect(data.rules.slice(0, 2)).toEqual(gate.rules);
    expect(data.rules.slice(2).map(({ name }) => name)).toEqual(["Third", "Fourth", "Fifth"]);
    expect(data.version).toBe(3);
  });

  test("400: too many rules; a gate that already has more can still be read and changed", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => rule(`rule ${index}`));
    const { path } = await make("full of rules", many);
    const tooMany = (count: string) => `must not exceed 1,000 rules in total, but there would be ${count}`;
    expect(await refusal(server.client.addGateRule({ path, body: rule("one more") }))).toEqual(invalid(["body", tooMany("1,001")]));
    expect(await refusal(server.client.patchGate({ path, body: { rules: [...many, rule("one more")] } }))).toEqual(
      invalid(["rules", "must NOT have more than 1000 items"]),
    );

    await server.database.prisma.$executeRaw`
      update gate set entity = jsonb_set(entity::jsonb, '{rules}', entity::jsonb -> 'rules' || (entity::jsonb -> 'rules' -> 0))::text
      where id = ${path.id}`;
    const { rules } = (await server.client.getGate({ path })).data;
    expect(rules.length).toBe(1_001);
    expect((await server.client.patchGate({ path, body: { description: "as it was" } })).data.rules).toEqual(rules);
    expect(await refusal(server.client.addGateRules({ path, body: { rules: [rule("new"), rule("newer")] } }))).toEqual(
      invalid(["rules", tooMany("1,003")]),
    );
  });

  test("400: a name or id that another rule has", async () => {
    const { path, first } = await make("taken rules");
    const rules = [rule("New", { id: first }), rule("Second")];
    expect(await refusal(server.client.addGateRules({ path, body: { rules } }))).toEqual(
      invalid(
        ["rules[0].id", `must be unique, but ${first} belongs to an existing rule`],
        ["rules[1].name", "must be unique, but Second belongs to an existing rule"],
      ),
    );
  });

  test("400: addGateRule names violations by their place in the body, which is the rule", async () => {
    const { path, first } = await make("one taken rule");
    const body = rule("Second", { id: first, passPercentage: 1.23456 });
    const errors = (await refusal(server.client.addGateRule({ path, body }))).errors as { property: string }[];
    expect(errors.map(({ property }) => property)).toEqual(["passPercentage", "name", "id"]);
  });
});

describe("patchGateRules", () => {
  test("200: changes the listed rules by id or baseID; the others and the order stay", async () => {
    const { gate, path, first, second } = await make("patched rules");
    const rules = [
      { baseID: second, passPercentage: 5 },
      { id: first, name: "Renamed" },
    ];
    const { data } = await server.client.patchGateRules({ path, body: { rules } });
    expect(data.rules).toEqual([
      { ...gate.rules[0], name: "Renamed" },
      { ...gate.rules[1], passPercentage: 5 },
    ]);
  });

  test("400: an unknown rule, a duplicate, and violations, with their places in the body", async () => {
    const { path, first, second } = await make("refused patches");
    const rules = [{ id: "none" }, { id: second, passPercentage: 0.001 }, { id: first }, { id: first }];
    expect(await refusal(server.client.patchGateRules({ path, body: { rules } }))).toEqual(
      invalid(
        ["rules[0].id", "must be the id or baseID of an existing rule"],
        ["rules[1].passPercentage", "must be in steps of 0.01"],
        ["rules[3].id", "must not identify the same rule as an earlier item"],
      ),
    );
  });
});

describe("patchGateRule and deleteGateRule", () => {
  test("200: change and delete one rule", async () => {
    const { gate, path, first, second } = await make("single rules");
    const patched = await server.client.patchGateRule({ path: { ...path, ruleID: second }, body: { environments: ["staging"] } });
    expect(patched.data.rules).toEqual([gate.rules[0], { ...gate.rules[1], environments: ["staging"] }]);
    const { data } = await server.client.deleteGateRule({ path: { ...path, ruleID: first } });
    expect(data.rules.map(({ name }) => name)).toEqual(["Second"]);
  });

  test("400: names violations by their place in the patch", async () => {
    const { path, first } = await make("refused patch");
    const body = { name: "Second", passPercentage: 0.001, id: "other" };
    expect(await refusal(server.client.patchGateRule({ path: { ...path, ruleID: first }, body }))).toEqual(
      invalid(
        ["id", "cannot be changed"],
        ["passPercentage", "must be in steps of 0.01"],
        ["name", "must be unique among the rules, but Second belongs to another rule"],
      ),
    );
  });

  test("404: the rule does not exist", async () => {
    const { path } = await make("missing rules");
    const missing = { status: 404, code: "not_found", message: "Rule none of gate missing_rules does not exist.", errors: [] };
    expect(await refusal(server.client.patchGateRule({ path: { ...path, ruleID: "none" }, body: {} }))).toEqual(missing);
    expect(await refusal(server.client.deleteGateRule({ path: { ...path, ruleID: "none" } }))).toEqual(missing);
  });

  test("409: the gate is archived", async () => {
    const { path, first } = await make("archived rules");
    await server.client.archiveGate({ path });
    const calls = [
      () => server.client.addGateRule({ path, body: rule("Third") }),
      () => server.client.addGateRules({ path, body: { rules: [] } }),
      () => server.client.patchGateRules({ path, body: { rules: [] } }),
      () => server.client.patchGateRule({ path: { ...path, ruleID: first }, body: {} }),
      () => server.client.deleteGateRule({ path: { ...path, ruleID: first } }),
    ];
    for (const call of calls) expect((await refusal(call())).message).toBe("Gate archived_rules is archived. Unarchive it first.");
  });
});
