import { request as httpRequest } from "node:http";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const MIB = 2 ** 20;
const event = (eventName: string) => JSON.stringify({ events: [{ eventName }] });
const reversed = (body: Buffer | string) => Buffer.from(body).toString("base64").split("").reverse().join("");
/** Twenty events `of_zstd`, compressed by `zstd -12`, since the oldest supported Node cannot. The second frame does not declare its size. */
const ZSTD =
  "KLUv/WC+AU0DAMQDeyJldmVudHMiOltOYW1lIjoib2ZfenN0ZCIsInZhbHVlIjowfSwxMjM0NTY3ODkxMTExMTExMTE5fV19FKgwdu/6BgCjCSZ6EGaE/78RyB5gf8lLus6FLdNaZEFYyjbX0LlcpQEkAQ==";
const ZSTD_STREAM =
  "KLUv/QBgTQMAxAN7ImV2ZW50cyI6W05hbWUiOiJvZl96c3RkIiwidmFsdWUiOjB9LDEyMzQ1Njc4OTExMTExMTExMTl9XX0UqDB27/oGAKMJJnoQZoT/vxHIHmB/yUu6zoUt01pkQVjKNtfQuVylASQB";

/** A zstd bomb: one RLE block for each 128 KiB. */
const zstdBomb = (blocks: number, declaresSize: boolean) => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(blocks * 131_072);
  const header = declaresSize ? [0x28, 0xb5, 0x2f, 0xfd, 0xa0, ...size] : [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x70];
  const block = (isLast: boolean) => [(isLast ? 1 : 0) | 2, 0, 0x10, 0x20];
  return Buffer.from([...header, ...Array.from({ length: blocks }, (_, index) => block(index === blocks - 1)).flat()]);
};

type Sent = { query?: string; headers?: Record<string, string>; body: string | Buffer };

async function log({ query = "", headers, body }: Sent) {
  const response = await fetch(`${server.url}/v1/log_event${query}`, {
    method: "POST",
    headers: { "STATSIG-API-KEY": server.key, "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : new Uint8Array(body),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const readNames = async (prefix: string) => {
  const { data } = await server.client.listEvents({ query: { limit: 1000 } });
  return data.map(({ name }) => name).filter((name) => name.startsWith(prefix));
};
const refused = (property: string, errorMessage: unknown) => ({
  status: 400,
  body: { code: "invalid_request", errors: [{ property, errorMessage }] },
});

describe("a key", () => {
  test("is accepted in any of four headers, in the query, or in the path", async () => {
    const specs = "/v1/download_config_specs";
    const { key } = server;
    const fetchStatus = async (path: string, headers: Record<string, string> = {}) =>
      (await server.send("GET", path, { key: null, headers })).status;
    expect(await fetchStatus(specs, { Authorization: `Bearer ${key}` })).toBe(200);
    expect(await fetchStatus(specs, { "X-API-Key": key })).toBe(200);
    expect(await fetchStatus(specs, { "STATSIG-API-KEY": key })).toBe(200);
    expect(await fetchStatus(specs, { "SERVICE-API-KEY": key })).toBe(200);
    expect(await fetchStatus(`${specs}?k=${key}`)).toBe(200);
    expect(await fetchStatus(`${specs}/${key}.json`)).toBe(200);
    expect(await fetchStatus(specs)).toBe(401);
    expect(await fetchStatus(`${specs}?k=${key}`, { "X-API-Key": "other" })).toBe(401);
  });

  test("never reaches the log, wherever it was sent", async () => {
    const { key } = await makeKey(server);
    for (const path of ["/v1/download_config_specs", "/v2/download_config_specs", "/v1/download_config_spec"]) {
      await server.send("GET", `${path}/${key}.json?k=${key}`, { key: null, headers: { "STATSIG-API-KEY": key } });
    }
    await server.send("GET", `/v1/download_config_specs/${key.replace("-", "%2d")}.json`, { key: null });
    await waitFor(() => expect(server.logged.filter((line) => line.includes("secret-….json")).length).toBe(4));
    expect(server.logged.filter((line) => line.includes(key.slice("secret-".length)))).toEqual([]);
    expect(server.logged.filter((line) => line.includes(key))).toEqual([]);
  });
});

describe("a body", () => {
  test("can be compressed by gzip, deflate, br or zstd", async () => {
    for (const [encoding, body] of [
      ["gzip", gzipSync(event("of_gzip"))],
      ["deflate", deflateSync(event("of_deflate"))],
      ["br", brotliCompressSync(event("of_br"))],
      ["zstd", Buffer.from(ZSTD, "base64")],
      ["zstd", Buffer.from(ZSTD_STREAM, "base64")],
      ["GZIP", gzipSync(event("of_gzip_again"))],
      ["identity", event("of_identity")],
    ] as const) {
      expect([encoding, (await log({ body, headers: { "Content-Encoding": encoding } })).status]).toEqual([encoding, 202]);
    }
    expect(await readNames("of_")).toEqual(["of_br", "of_deflate", "of_gzip", "of_gzip_again", "of_identity", "of_zstd"]);
  });

  test("can be gzip that only the query declares, reversed base64, or both", async () => {
    expect((await log({ query: "?gz=1", body: gzipSync(event("told_gz")) })).status).toBe(202);
    expect((await log({ query: "?se=1", body: reversed(event("told_se")) })).status).toBe(202);
    expect((await log({ query: "?se=1&gz=1", body: gzipSync(reversed(event("told_both"))) })).status).toBe(202);
    const named = { "Content-Encoding": "gzip" };
    expect((await log({ query: "?gz=1", body: gzipSync(event("told_twice")), headers: named })).status).toBe(202);
    expect(await readNames("told_")).toEqual(["told_both", "told_gz", "told_se", "told_twice"]);
  });

  test("can be declared as text, as browsers do to avoid a preflight, or have no type, as beacons do", async () => {
    expect((await log({ body: event("as_text"), headers: { "Content-Type": "text/plain;charset=UTF-8" } })).status).toBe(202);
    const response = await fetch(`${server.url}/v1/rgstr?k=${server.key}`, { method: "POST", body: new Blob([event("as_beacon")]) });
    expect(response.status).toBe(202);
    expect(await readNames("as_")).toEqual(["as_beacon", "as_text"]);
  });

  test("is rejected in another type, character set or encoding", async () => {
    const fetchStatus = async (headers: Record<string, string>) => (await log({ body: event("other"), headers })).status;
    expect(await fetchStatus({ "Content-Type": "application/x-www-form-urlencoded" })).toBe(415);
    expect(await fetchStatus({ "Content-Type": "application/json; charset=latin1" })).toBe(415);
    for (const encoding of ["compress", "constructor", "__proto__", "toString", "gzip, gzip"]) {
      expect([encoding, await fetchStatus({ "Content-Encoding": encoding })]).toEqual([encoding, 415]);
    }
    expect(await readNames("other")).toEqual([]);
  });

  test("that is not in its declared encoding is rejected", async () => {
    for (const encoding of ["gzip", "deflate", "br", "zstd"]) {
      expect(await log({ body: event("broken"), headers: { "Content-Encoding": encoding } })).toMatchObject(
        refused("body", `is not valid ${encoding}`),
      );
    }
    expect(await log({ query: "?se=1", body: event("broken") })).toMatchObject(refused("body", "is not valid base64 in reverse"));
    expect(await log({ body: event("broken").slice(1) })).toMatchObject({ status: 400, body: { message: "The body is not valid JSON." } });
  });

  test("of more than 10 MiB is rejected, compressed or decompressed", async () => {
    const tooLarge = { status: 413, body: { code: "payload_too_large", message: "The body is larger than 10 MiB." } };
    const zeros = Buffer.alloc(64 * MIB, " ");
    expect(await log({ body: zeros.subarray(0, 10 * MIB + 1) })).toMatchObject(tooLarge);
    for (const [encoding, body] of [
      ["gzip", gzipSync(zeros)],
      ["deflate", deflateSync(zeros)],
      ["br", brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
      ["zstd", zstdBomb(512, true)],
    ] as const) {
      expect([encoding, await log({ body, headers: { "Content-Encoding": encoding } })]).toMatchObject([encoding, tooLarge]);
    }
    expect(await log({ query: "?gz=1", body: gzipSync(zeros) })).toMatchObject(tooLarge);
    const undeclared = await log({ body: zstdBomb(512, false), headers: { "Content-Encoding": "zstd" } });
    expect([400, 413]).toContain(undeclared.status);
  });

  test("that cannot be stored is rejected with its place", async () => {
    const check = (rawBody: string) => server.send("POST", "/v1/check_gate", { rawBody });
    expect(await check('{"gateName":"a\\u0000","user":{}}')).toMatchObject(refused("gateName", "must not contain the character U+0000"));
    expect(await check('{"gateName":"a","user":{"custom":{"size":1e999}}}')).toMatchObject(
      refused("user.custom.size", "must not be larger than 1.8e308"),
    );
    expect(await log({ body: "[".repeat(101) + "]".repeat(101) })).toMatchObject(
      refused("body", "must not be nested more than 100 levels deep"),
    );
    const metadata = '"statsigMetadata":{"sdkType":"a\\ud800"}';
    expect(await check(`{"gateName":"a","user":{},${metadata}}`)).toMatchObject(
      refused("statsigMetadata.sdkType", "must not have control characters or unpaired surrogates"),
    );
  });

  test("that is missing is reported as missing required fields", async () => {
    expect(await log({ body: "" })).toMatchObject(refused("events", "is required"));
  });

  test("that is aborted is logged as such, and the server continues", async () => {
    const broken = httpRequest(`${server.url}/v1/log_event`, {
      method: "POST",
      headers: { "X-API-Key": server.key, "Content-Length": 100, "Content-Type": "application/json" },
    });
    broken.on("error", () => {});
    broken.write('{"events":');
    await new Promise((resolve) => broken.once("socket", (socket) => socket.once("connect", resolve)));
    await new Promise((resolve) => setImmediate(resolve));
    broken.destroy();
    await waitFor(() => expect(server.logged.some((line) => line.includes('"operation":"logEvent","status":499'))).toBe(true));
  });
});

describe("a path", () => {
  test("can end with a slash", async () => {
    expect((await server.send("GET", "/v1/download_config_specs/")).status).toBe(200);
  });

  test("that does not exist is 404 with a key, and 401 without", async () => {
    for (const path of ["/v1/gates", "/v2/nowhere", "/ofrep/v2/evaluate/flags"]) {
      const answer = await server.send("GET", path);
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found", message: `The path ${path} does not exist.` } });
      expect((await server.send("GET", path, { key: null })).status).toBe(401);
    }
  });

  test("that cannot be decoded, or contains U+0000, is 400", async () => {
    const file = (name: string) => server.send("POST", `/ofrep/v1/evaluate/flags/${name}`, { body: { context: { targetingKey: "a" } } });
    expect(await file("%E0%A4%A")).toMatchObject({ status: 400, body: { errorDetails: "path is not valid percent-encoding." } });
    expect(await file("a%00")).toMatchObject({ status: 400, body: { errorDetails: "path must not contain the character U+0000." } });
  });

  test("does not support HEAD", async () => {
    const response = await fetch(`${server.url}/v1/download_config_specs`, { method: "HEAD", headers: { "X-API-Key": server.key } });
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET"]);
  });
});

describe("a page of another origin", () => {
  const origin = { Origin: "https://shop.example" };

  test("is allowed by its preflight, with the requested headers", async () => {
    const { status, headers } = await server.send("OPTIONS", "/v1/initialize", {
      key: null,
      headers: { ...origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "statsig-api-key,content-type" },
    });
    expect(status).toBe(204);
    expect(Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control")))).toEqual({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET,POST",
      "access-control-allow-headers": "statsig-api-key,content-type",
      "access-control-max-age": "86400",
    });
  });

  test("can read responses, errors, and the headers that it needs", async () => {
    for (const key of [server.key, null]) {
      const { headers } = await server.send("POST", "/v1/initialize", { key, headers: origin, body: {} });
      expect([
        headers.get("Access-Control-Allow-Origin"),
        headers.get("Access-Control-Expose-Headers"),
        headers.get("Access-Control-Allow-Credentials"),
      ]).toEqual(["*", "ETag, Retry-After, X-Request-Id", null]);
    }
  });

  test("is not allowed by the console API", async () => {
    const { headers } = await server.send("GET", "/console/v1/gates", { headers: origin });
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
  });
});

describe("a response", () => {
  test("is JSON with its length, not cacheable by shared caches, and never rendered as a page", async () => {
    const { headers, text } = await server.send("POST", "/v1/get_id_lists");
    expect(Object.fromEntries([...headers].filter(([name]) => !["date", "x-request-id"].includes(name)))).toEqual({
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "ETag, Retry-After, X-Request-Id",
      "cache-control": "private, no-cache",
      connection: "keep-alive",
      "content-length": String(text.length),
      "content-security-policy": "default-src 'none';frame-ancestors 'none'",
      "content-type": "application/json; charset=utf-8",
      "keep-alive": "timeout=75",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "x-content-type-options": "nosniff",
    });
  });

  test("is counted and logged by its operation", async () => {
    await server.send("POST", "/v1/get_id_lists");
    const metrics = (await server.send("GET", "/metrics", { key: null })).text;
    expect(metrics).toMatch(/gatehouse_http_request_duration_seconds_count\{operation="listIDLists",status="200"\} \d+/);
    await waitFor(() =>
      expect(server.logged.find((line) => line.includes('"operation":"listIDLists"'))).toMatch(
        /"requestID":"[^"]+","method":"POST","path":"\/v1\/get_id_lists","operation":"listIDLists","status":200,"ms":[\d.]+/,
      ),
    );
  });
});
