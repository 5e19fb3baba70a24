import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyone, makeEvaluated, staff } from "../support/evaluated-entities.ts";
import { makeKey } from "../support/keys.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeGate("for_staff", { rules: [staff, everyone] });
});
afterAll(() => server.close());

const bob = { userID: "bob" };

type Request = Parameters<TestServer["client"]["evaluateUsers"]>[0]["body"];
const evaluate = async (body: Request) => (await server.client.evaluateUsers({ body })).data;

async function makeGate(name: string, body: object = {}) {
  return (await server.client.createGate({ body: { name, isEnabled: true, ...body } })).data;
}

describe("evaluateUsers with drafts", () => {
  test("200: returns the saved and the draft's answer side by side, even for dependents of the draft, and stores nothing", async () => {
    const { id, rules, version } = await makeGate("drafted", { rules: [staff] });
    await makeGate("of_drafted", { rules: [{ ...everyone, conditions: [{ type: "passes_gate", targetValue: id }] }] });
    const change = { rules: [...rules, { ...everyone, id: "for_all" }] };
    const [ofBob] = await evaluate({
      users: [bob],
      entities: [
        { type: "gate", id },
        { type: "gate", id: "of_drafted" },
        { type: "gate", id: "for_staff" },
      ],
      drafts: [{ type: "gate", id, body: change }],
    });
    expect(ofBob?.results.map(({ value, draft }) => [value, draft?.value, draft?.rules.map(({ name, passed }) => [name, passed])])).toEqual(
      [
        [
          false,
          true,
          [
            ["Staff", false],
            ["Everyone", true],
          ],
        ],
        [false, true, [["Everyone", true]]],
        [
          true,
          true,
          [
            ["Staff", false],
            ["Everyone", true],
          ],
        ],
      ],
    );
    expect((await server.client.getGate({ path: { id } })).data).toMatchObject({ version, rules });
  });

  test("200: a draft of every kind, as the operation that would store it takes it", async () => {
    await makeEvaluated(server);
    const [results] = (
      await evaluate({
        users: [bob],
        entities: [
          { type: "dynamic_config", id: "colors" },
          { type: "segment", id: "employees" },
          { type: "layer", id: "page" },
          { type: "experiment", id: "larger" },
          { type: "holdout", id: "held" },
          { type: "param_store", id: "store" },
        ],
        drafts: [
          { type: "dynamic_config", id: "colors", body: { defaultValue: { button: "blue" } } },
          {
            type: "segment",
            id: "employees",
            body: { rules: [{ ...everyone, conditions: [{ type: "user_id", operator: "any", targetValue: ["bob"] }] }] },
          },
          { type: "layer", id: "page", body: { parameters: [{ name: "size", type: "number", defaultValue: 5 }] } },
          { type: "experiment", id: "larger", body: { description: "Larger." } },
          { type: "holdout", id: "held", body: { isEnabled: false } },
          {
            type: "param_store",
            id: "store",
            body: { parameters: [{ name: "greeting", ref_type: "static", param_type: "string", value: "bye" }] },
          },
        ],
      })
    ).map(({ results: given }) => given);
    expect(results?.map(({ type, draft }) => [type, draft?.value])).toEqual([
      ["dynamic_config", { button: "blue" }],
      ["segment", true],
      ["layer", { size: 8 }],
      ["experiment", { size: 8 }],
      ["holdout", false],
      ["param_store", { greeting: "bye" }],
    ]);
  });

  test("400: a draft that could not be stored, with its place", async () => {
    const drafts = [
      { type: "gate" as const, id: "for_staff", body: { description: "Fine." } },
      { type: "gate" as const, id: "for_staff", body: { colour: "red" } },
    ];
    const body = { users: [bob], entities: [{ type: "gate" as const, id: "for_staff" }], drafts };
    expect((await refusal(evaluate(body))).errors).toEqual([
      { property: "drafts[1].colour", errorMessage: expect.stringContaining("is unknown") },
    ]);
  });

  test("403: a draft needs the permission of the operation that would store it", async () => {
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    const body = { users: [bob], entities: [{ type: "gate", id: "for_staff" }] };
    const drafts = [{ type: "gate", id: "for_staff", body: { isEnabled: false } }];
    const send = (more: object) => server.send("POST", "/console/v1/evaluate", { key, body: { ...body, ...more } });
    expect([(await send({})).status, (await send({ drafts })).status]).toEqual([200, 403]);
  });

  test("404: a draft of an entity that does not exist; 409: of one that is archived", async () => {
    const { id } = await makeGate("archived_draft");
    await server.client.archiveGate({ path: { id }, body: {} });
    const entities = [{ type: "gate" as const, id: "for_staff" }];
    const fetchStatus = async (draft: string) =>
      (await refusal(evaluate({ users: [bob], entities, drafts: [{ type: "gate", id: draft, body: { isEnabled: true } }] }))).status;
    expect([await fetchStatus("nowhere"), await fetchStatus(id)]).toEqual([404, 409]);
  });
});
