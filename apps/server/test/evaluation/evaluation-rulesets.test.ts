import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

const V1 = "/v1/download_config_specs";
const V2 = "/v2/download_config_specs";

let server: TestServer;
let ruleID: string;
beforeAll(async () => {
  server = await startServer();
  const rules = [{ name: "Everyone", passPercentage: 10, conditions: [{ type: "public" as const }] }];
  const { data } = await server.client.createGate({ body: { name: "new_checkout", isEnabled: true, rules } });
  ruleID = data.rules[0]?.id ?? "";
  await waitFor(async () => expect((await server.send("GET", V1)).body.feature_gates).toHaveLength(1));
});
afterAll(() => server.close());

/** The response as sent over the wire, since `fetch` would decompress it. */
function raw(path: string, headers: Record<string, string>): Promise<{ headers: Record<string, unknown>; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = request(`${server.url}${path}`, { headers: { "X-API-Key": server.key, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    });
    sent.on("error", reject).end();
  });
}

const rule = (conditions: unknown[]) => ({
  name: "Everyone",
  groupName: null,
  id: ruleID,
  salt: ruleID,
  passPercentage: 10,
  conditions,
  returnValue: true,
  idType: "userID",
});
const gate = (conditions: unknown[]) => ({
  type: "feature_gate",
  salt: "new_checkout",
  enabled: true,
  defaultValue: false,
  idType: "userID",
  entity: "feature_gate",
  rules: [rule(conditions)],
  version: 1,
});
const everyone = { type: "public", targetValue: null, operator: null, field: null, additionalValues: {}, idType: "userID" };

describe("getConfigSpecs", () => {
  test("200: the v1 ruleset, with the time of the last change and a checksum", async () => {
    const { status, headers, body } = await server.send("GET", V1);
    expect([status, headers.get("ETag")]).toEqual([200, `W/"${body.checksum}"`]);
    expect(body).toEqual({
      has_updates: true,
      time: expect.any(Number),
      checksum: expect.any(String),
      feature_gates: [{ name: "new_checkout", ...gate([everyone]) }],
      dynamic_configs: [],
      layer_configs: [],
      layers: {},
      id_lists: {},
      param_stores: {},
      prompt_configs: {},
      default_environment: "production",
    });
  });

  test("200: the same with the key in the path or in the query", async () => {
    const { text } = await server.send("GET", V1);
    expect((await server.send("GET", `${V1}/${server.key}.json`, { key: null })).text).toBe(text);
    expect((await server.send("GET", `${V1}?k=${server.key}&st=js&sv=3`, { key: null })).text).toBe(text);
  });

  test("200: `has_updates` is false if the caller's time or checksum is current", async () => {
    const { time, checksum } = (await server.send("GET", V1)).body;
    const nothingNew = { status: 200, body: { has_updates: false } };
    for (const path of [V1, V2, `${V1}/${server.key}.json`, `${V2}/${server.key}.json`]) {
      for (const query of [`sinceTime=${time}`, `checksum=${checksum}`, `sinceTime=0&checksum=${checksum}`]) {
        expect(await server.send("GET", `${path}?${query}&supports_proto=true`)).toMatchObject(nothingNew);
      }
      expect((await server.send("GET", `${path}?sinceTime=${time - 1}`)).body.has_updates).toBe(true);
      expect((await server.send("GET", `${path}?sinceTime=0&checksum=other`)).body.has_updates).toBe(true);
    }
  });

  test("200: a change appears once the server has received it, with a later time and another checksum", async () => {
    const before = (await server.send("GET", V1)).body;
    await server.client.patchGate({ path: { id: "new_checkout" }, body: { isEnabled: false } });
    const since = `${V1}?sinceTime=${before.time}&checksum=${before.checksum}`;
    await waitFor(async () => expect((await server.send("GET", since)).body.has_updates).toBe(true));
    const after = (await server.send("GET", since)).body;
    expect(after.feature_gates).toEqual([{ name: "new_checkout", ...gate([everyone]), enabled: false, rules: [], version: 2 }]);
    expect([after.time > before.time, after.checksum === before.checksum]).toEqual([true, false]);
    await server.client.patchGate({ path: { id: "new_checkout" }, body: { isEnabled: true } });
    await waitFor(async () => expect((await server.send("GET", V1)).body.feature_gates[0].version).toBe(3));
  });

  test("200: in an encoding that the caller accepts, with its length", async () => {
    const { text } = await server.send("GET", V1);
    const plain = await raw(V1, {});
    const gzip = await raw(V1, { "Accept-Encoding": "gzip, deflate" });
    const br = await raw(V1, { "Accept-Encoding": "statsig-br, gzip, deflate, br" });
    expect([plain, gzip, br].map(({ headers }) => [headers["content-encoding"], headers.vary])).toEqual([
      [undefined, "Accept-Encoding"],
      ["gzip", "Accept-Encoding"],
      ["br", "Accept-Encoding"],
    ]);
    for (const { headers, body } of [plain, gzip, br]) expect(headers["content-length"]).toBe(String(body.length));
    expect([plain.body, gunzipSync(gzip.body), brotliDecompressSync(br.body)].map(String)).toEqual([text, text, text]);
  });

  test("400: names an invalid time", async () => {
    expect(await server.send("GET", `${V1}?sinceTime=yesterday`)).toMatchObject({
      status: 400,
      body: { errors: [{ property: "sinceTime", errorMessage: "must be integer" }] },
    });
  });
});

describe("getConfigSpecsV2", () => {
  test("200: the v2 ruleset, equivalent to v1", async () => {
    const { body } = await server.send("GET", `${V2}/${server.key}.json?supports_proto=true`, { key: null });
    const [id] = Object.keys(body.condition_map);
    expect(body).toMatchObject({
      has_updates: true,
      time: expect.any(Number),
      response_format: "dcs-v2",
      feature_gates: { new_checkout: { ...gate([id]), version: expect.any(Number) } },
      dynamic_configs: {},
      layer_configs: {},
      condition_map: { [id as string]: everyone },
      experiment_to_layer: {},
    });
    expect(body.checksum).toBe((await server.send("GET", V1)).body.checksum);
    expect((await server.send("GET", V2)).body).toEqual(body);
  });
});

describe("a limited key", () => {
  test("gets only its own target apps and environments", async () => {
    const { client } = server;
    await client.createGate({ body: { name: "for_ios", isEnabled: true, targetApps: ["iOS"] } });
    await client.createGate({ body: { name: "for_web", isEnabled: true, targetApps: ["Web"] } });
    const ios = await makeKey(server, { type: "SERVER", targetAppID: "iOS" });
    const staging = await makeKey(server, { type: "SERVER", environments: ["staging"] });
    const namesFor = async (key: string) => {
      const { body } = await server.send("GET", V1, { key });
      return body.feature_gates.map(({ name }: { name: string }) => name).toSorted();
    };
    await waitFor(async () => expect(await namesFor(server.key)).toEqual(["for_ios", "for_web", "new_checkout"]));
    expect(await namesFor(ios.key)).toEqual(["for_ios", "new_checkout"]);
    expect((await server.send("GET", V1, { key: staging.key })).body.default_environment).toBe("staging");
  });
});
