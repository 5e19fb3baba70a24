import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { renewSecrets } from "../../src/jobs/renew-secrets.ts";
import { withModels } from "../../src/models/models.ts";
import { complete, failing, startModelServer } from "../support/model-server.ts";
import { invalid, refusal, startOver, startServer, type TestServer } from "../support/server.ts";

const SECRET = "a secret key of at least 32 characters";
const NONE = { url: null, defaultModel: null, keyTime: null, version: 0 };

let server: TestServer;
let models: Awaited<ReturnType<typeof startModelServer>>;
beforeAll(async () => {
  server = await startServer();
  models = await startModelServer();
});
// A project has one endpoint: each test starts without one.
beforeEach(async () => {
  await server.database.prisma.modelEndpoint.deleteMany();
  await server.database.prisma.modelSecret.deleteMany();
});
afterEach(() => models.answer());
afterAll(async () => {
  models.close();
  await server.close();
});

type Body = Parameters<TestServer["client"]["patchModelEndpoint"]>[0]["body"];
const patch = async (body: Body) => (await server.client.patchModelEndpoint({ body })).data;
const check = async () => (await server.client.checkModelEndpoint({})).data;
const connect = (body: Body = {}) => patch({ url: models.url, apiKey: "sk-right", defaultModel: "small", ...body });

describe("patchModelEndpoint", () => {
  test("connects an endpoint, and changes only the fields in the body", async () => {
    expect((await server.client.getModelEndpoint({})).data).toEqual(NONE);
    const now = server.clock.now;
    expect(await connect({ url: "https://models.example.com/v1//" })).toEqual({
      ...{ url: "https://models.example.com/v1", defaultModel: "small", keyTime: now, version: 1 },
    });
    expect(await patch({ defaultModel: null })).toEqual({
      ...{ url: "https://models.example.com/v1", defaultModel: null, keyTime: now, version: 2 },
    });
    expect(await patch({ apiKey: null })).toMatchObject({ keyTime: null, version: 3 });
    expect(await server.database.prisma.modelSecret.count()).toBe(0);
  });

  test("deletes the API key when the origin changes, and keeps it for another path", async () => {
    await connect();
    expect((await patch({ url: `${models.url}/other` })).keyTime).toBe(server.clock.now);
    expect((await patch({ url: "https://models.example.com/v1" })).keyTime).toBeNull();
    expect(await server.database.prisma.modelSecret.count()).toBe(0);
  });

  test("stores the API key encrypted, and shows it in no response and in no entry of the change log", async () => {
    await connect({ apiKey: "sk-very-secret" });
    models.answer(() => failing(401, "Incorrect API key provided: sk-very-secret."));
    const answers = [await check(), (await server.client.listAuditLogs({})).data, (await server.client.getModelEndpoint({})).data];
    expect(JSON.stringify(answers)).toContain("[API key]");
    const stored = [await server.database.prisma.change.findMany(), await server.database.prisma.modelSecret.findMany()];
    const text = JSON.stringify([answers, stored, server.logged], (_, value) => (typeof value === "bigint" ? String(value) : value));
    expect(text).not.toContain("very-secret");
  });

  test.each([
    ["ftp://models.example.com/v1", "must be an https or http URL"],
    ["models.example.com", "must be a URL such as https://api.openai.com/v1"],
    ["https://user:password@models.example.com/v1", "must have no user and no password"],
    ["https://models.example.com/v1?a=b", "must have no query and no fragment"],
    [
      "http://10.0.0.7:8000/v1",
      "must have one of the hosts in GATEHOUSE_MODEL_HOSTS, which the operator of the server sets. 10.0.0.7:8000 is none of them",
    ],
  ])("refuses the URL %s", async (url, message) => {
    expect(await refusal(patch({ url }))).toEqual(invalid(["url", message]));
  });

  test("refuses a first request without a URL", async () => {
    expect(await refusal(patch({ defaultModel: "small" }))).toEqual(invalid(["url", "is required, since the project has no endpoint yet"]));
  });

  test("refuses an API key on a server without a GATEHOUSE_SECRET_KEY, and connects endpoints without one", async () => {
    const database = { ...server.database, ...withModels(server.database, { hosts: ["127.0.0.1"], secretKey: undefined }) };
    const other = await startOver({ ...database, close: async () => {} }, server.clock);
    const message = "needs GATEHOUSE_SECRET_KEY, with which the server encrypts it. It is not set";
    const body = { url: models.url, apiKey: "sk-right" };
    expect(await refusal(other.client.patchModelEndpoint({ body }))).toEqual(invalid(["apiKey", message]));
    expect((await other.client.patchModelEndpoint({ body: { url: models.url } })).data.keyTime).toBeNull();
    await other.close();
  });
});

describe("deleteModelEndpoint", () => {
  test("deletes the endpoint with its API key, once", async () => {
    await connect();
    expect((await server.client.deleteModelEndpoint({})).data).toEqual({ ...NONE, version: 2 });
    expect(await server.database.prisma.modelSecret.count()).toBe(0);
    expect(await refusal(server.client.deleteModelEndpoint({}))).toMatchObject({
      status: 409,
      message: "The project has no model endpoint.",
    });
  });
});

describe("checkModelEndpoint", () => {
  test("asks the default model with the API key", async () => {
    await connect();
    models.answer(() => "OK");
    expect(await check()).toEqual({ isUsable: true, model: "small", reason: null });
    expect(models.asked).toMatchObject([{ path: "/v1/chat/completions", key: "sk-right", body: { model: "small" } }]);
  });

  test("says why the model does not answer", async () => {
    expect((await check()).reason).toBe("The project has no model endpoint.");
    await connect({ defaultModel: null });
    expect((await check()).reason).toBe("The endpoint has no default model.");
    await connect();
    const reasons = [
      ["The endpoint answered 404: No such model.", failing(404, "No\nsuch model.")],
      ["The endpoint answered 503.", (response) => response.writeHead(503).end("a page of another service")],
      ["The endpoint answered 302.", (response) => response.writeHead(302, { Location: "http://169.254.169.254/" }).end()],
      ["The endpoint answered without a message.", (response) => response.writeHead(200).end("[]")],
      ["The output is longer than 100,000 characters.", (response) => complete(response, "x".repeat(100_001))],
      ["The answer of the endpoint is larger than 1 MiB.", (response) => response.writeHead(200).end(Buffer.alloc(2 ** 20 + 1))],
    ] as const satisfies [string, ReturnType<typeof failing>][];
    for (const [reason, answer] of reasons) {
      models.answer(() => answer);
      expect(await check()).toEqual({ isUsable: false, model: "small", reason });
      expect(models.asked).toHaveLength(1);
    }
    await connect({ url: "http://127.0.0.1:9/v1" });
    expect((await check()).reason).toMatch(/^The endpoint cannot be reached: /);
  });

  test("says that another secret or a setting makes the endpoint useless", async () => {
    await connect();
    const reasonWith = async (settings: Parameters<typeof withModels>[1]) => {
      const database = { ...server.database, ...withModels(server.database, settings), close: async () => {} };
      const other = await startOver(database, server.clock);
      const { reason } = (await other.client.checkModelEndpoint({})).data;
      await other.close();
      return reason;
    };
    expect(await reasonWith({ hosts: ["127.0.0.1"], secretKey: "another secret key of 32 characters" })).toBe(
      "Its API key was encrypted with another GATEHOUSE_SECRET_KEY. Send it again.",
    );
    expect(await reasonWith({ hosts: [], secretKey: SECRET })).toMatch(/^Its URL must have one of the hosts in GATEHOUSE_MODEL_HOSTS/);
  });
});

test("The API key is encrypted again after a change of GATEHOUSE_SECRET_KEY", async () => {
  await connect();
  const keys = { secretKey: "another secret key of 32 characters", previousSecretKey: SECRET };
  const job = renewSecrets(keys);
  const env = { database: server.database, log: server.log, now: () => server.clock.now };
  await job.run(env);
  server.clock.now += 15 * 60_000;
  await job.run(env);
  const database = { ...server.database, close: async () => {} };
  const other = await startOver({
    ...database,
    ...withModels(database, { hosts: ["127.0.0.1"], secretKey: keys.secretKey }),
    close: async () => {},
  });
  expect((await other.client.checkModelEndpoint({})).data.isUsable).toBe(true);
  expect(models.asked).toMatchObject([{ key: "sk-right" }]);
  await other.close();
});
