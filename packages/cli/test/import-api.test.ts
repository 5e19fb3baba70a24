import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { retryDelay } from "../src/import/api/retry-delay.ts";
import { exported, sendJson, startOtherSystem, TOKEN } from "./other-systems.ts";
import { createWorkspace } from "./servers.ts";

let other: Awaited<ReturnType<typeof startOtherSystem>>;
const { gatehouse, remove } = createWorkspace();
const file = (system: string) => fileURLToPath(new URL(`./exports/${system}.json`, import.meta.url));
const tokens = { GROWTHBOOK_TOKEN: TOKEN, LAUNCHDARKLY_TOKEN: TOKEN, UNLEASH_TOKEN: TOKEN, STATSIG_TOKEN: TOKEN };

beforeAll(async () => {
  other = await startOtherSystem();
});
beforeEach(() => {
  other.requests.length = 0;
  other.next.length = 0;
});
afterAll(() => {
  other?.stop();
  remove();
});

const fromApi = (system: string, args: string[] = [], env: Record<string, string> = tokens, url = other.url) =>
  gatehouse(["import", system, "--from-url", url, ...args], env);

/** Reads the API, and expects what the file of the system's export has. @returns the requests, and the notes that the file has not */
async function expectSame(system: string, args: string[], url?: string) {
  const read = await fromApi(system, [...args, "--json", "--token-env", "THE_TOKEN"], { THE_TOKEN: TOKEN }, url);
  expect(read).toMatchObject({ code: 0 });
  const [api, exportedFile] = [read, await gatehouse(["import", system, file(system), "--json"])].map(({ stdout }) => JSON.parse(stdout));
  expect(api.configuration).toEqual(exportedFile.configuration);
  const known = new Set(exportedFile.notes.map(({ flag, message }: Note) => `${flag} ${message}`));
  return api.notes.map(({ flag, message }: Note) => `${flag} ${message}`).filter((one: string) => !known.has(one));
}
type Note = { flag: string; message: string };

describe("import --from-url", () => {
  test("reads a file of flagd", async () => {
    expect(await expectSame("flagd", [], `${other.url}/flags.json`)).toEqual([]);
    expect(other.requests).toEqual(["GET /flags.json"]);
  });

  test("reads the environment document of Flagsmith, and reports the identities of all its pages", async () => {
    expect(await expectSame("flagsmith", [])).toEqual([
      "fs_checkout has other values for 2 identities, which were left out. Add a rule with their IDs.",
    ]);
    expect(other.requests).toEqual(["GET /api/v1/environment-document/", "GET /api/v1/environment-document/?page_id=identity%3A2"]);
  });

  test("reads all pages of GrowthBook's features", async () => {
    expect(await expectSame("growthbook", ["--project", "prj_1"])).toEqual([]);
    expect(other.requests).toEqual([
      "GET /api/v1/features?limit=100&offset=0&projectId=prj_1",
      "GET /api/v1/features?limit=100&offset=1&projectId=prj_1",
    ]);
  });

  test("reads all pages of LaunchDarkly's flags with their rules in the environments, and the segments of each", async () => {
    expect(await expectSame("launchdarkly", ["--project", "shop", "--environment", "production", "staging"])).toEqual([]);
    expect(other.requests).toEqual([
      "GET /api/v2/flags/shop?summary=0&env=production&env=staging&limit=100&offset=0",
      "GET /api/v2/flags/shop?summary=0&env=production&env=staging&limit=100&offset=1",
      "GET /api/v2/flags/shop?summary=0&env=production&env=staging&limit=100&offset=2",
      "GET /api/v2/segments/shop/production?limit=100&offset=0",
      "GET /api/v2/segments/shop/staging?limit=100&offset=0",
    ]);
  });

  test("reads all lists of Statsig that can be imported", async () => {
    expect(await expectSame("statsig", [])).toEqual([]);
    const lists = ["tags", "target_app", "segments", "gates", "dynamic_configs", "holdouts", "layers", "experiments"];
    expect(other.requests).toEqual(lists.map((list) => `GET /console/v1/${list}?limit=100&page=1`));
  });

  test("reads the export of an Unleash environment, with the constraints that its segments have", async () => {
    expect(await expectSame("unleash", ["--environment", "production"], `${other.url}/`)).toEqual([]);
    expect(other.requests).toEqual([
      'POST /api/admin/features-batch/export {"environment":"production","project":"default"}',
      "GET /api/admin/segments",
    ]);
  });

  test("waits as long as the system asks for, and tries again", async () => {
    for (const status of [429, 503]) other.next.push((_, response) => sendJson(response, status, {}, { "retry-after": "0" }));
    expect(await expectSame("growthbook", [])).toEqual([]);
    expect(other.requests).toHaveLength(4);
    other.next.push((_, response) => sendJson(response, 429, {}, { "retry-after": "3600" }));
    const refused = await fromApi("growthbook");
    expect([refused.code, refused.stderr]).toEqual([1, `Error: ${new URL(other.url).host} asks to wait for too long. Try again later.\n`]);
  });

  test("stops asking a system that stays busy", async () => {
    for (let count = 0; count < 10; count++) other.next.push((_, response) => sendJson(response, 429, {}, { "retry-after": "0" }));
    expect((await fromApi("growthbook")).stderr).toBe(`Error: ${other.url}/api/v1/features responded with 429.\n`);
    expect(other.requests).toHaveLength(6);
  });

  test("says that the token was refused, without showing it", async () => {
    const { code, stdout, stderr } = await fromApi("growthbook", [], { GROWTHBOOK_TOKEN: "wrong-token" });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      `Error: ${other.url}/api/v1/features responded with 401: Invalid token \nThe token is missing or wrong, or may not read this.\n`,
    );
  });

  test("sends the token to no other address, even if the system redirects there", async () => {
    const elsewhere = await startOtherSystem();
    other.next.push((_, response) => response.writeHead(302, { location: `${elsewhere.url}/api/v1/features` }).end());
    const { code, stderr } = await fromApi("growthbook");
    elsewhere.stop();
    expect([code, elsewhere.requests]).toEqual([1, []]);
    expect(stderr).toContain(`redirects to ${elsewhere.url}/api/v1/features.`);
  });

  test("shows the queries of addresses in no error, because they may have secrets", async () => {
    other.next.push((_, response) => sendJson(response, 200, { features: "none" }));
    other.next.push((_, response) => response.writeHead(302, { location: "/signed?signature=secret" }).end());
    const url = `${other.url}/flags.json`;
    const runs = [await fromApi("flagd", [], {}, `${url}?sig=secret`), await fromApi("flagd", [], {}, `${url}?sig=secret`)];
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([
      [1, `Error: ${url} returned no flags.\n`],
      [1, `Error: ${url} redirects to ${other.url}/signed.\nUse the address of the API itself.\n`],
    ]);
  });

  test("writes nothing if a response is cut off, is not JSON or has no list", async () => {
    const failures: [respond: (typeof other.next)[number], error: string][] = [
      [
        (_, response) => {
          response.writeHead(200, { "content-length": "1000" }).write('{"features": [', () => response.destroy());
        },
        "broke before the end of the response",
      ],
      [(_, response) => response.writeHead(200).end("<html>"), "that is not JSON"],
      [(_, response) => sendJson(response, 200, { data: [] }), "without a list of features"],
    ];
    for (const [respond, error] of failures) {
      other.next.push((_, response) => sendJson(response, 200, { features: [{ id: "first" }], hasMore: true, nextOffset: 1 }), respond);
      const { code, stdout, stderr } = await fromApi("growthbook");
      expect([code, stdout, stderr]).toEqual([1, "", expect.stringContaining(error)]);
    }
  });

  test("refuses a response of more than 64 MiB, however small it is on the wire", async () => {
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, " "));
    other.next.push((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb));
    expect((await fromApi("growthbook")).stderr).toContain("sent more than 64 MiB in one response");
  });

  test("reports that a list changed while it was read", async () => {
    const { features } = exported("growthbook") as { features: unknown[] };
    other.next.push((_, response) => sendJson(response, 200, { features: [features[0]], hasMore: true, nextOffset: 1, total: 2 }));
    other.next.push((_, response) => sendJson(response, 200, { features: [features[0]], hasMore: false, nextOffset: null, total: 2 }));
    expect((await fromApi("growthbook")).stderr).toContain(
      "! features are incomplete: 1 of 2 were read. They may have changed during the import. Run it again.\n",
    );
  });

  test("says that a project has no flags", async () => {
    other.next.push((_, response) => sendJson(response, 200, { features: [], hasMore: false, nextOffset: null, total: 0 }));
    const { code, stderr } = await fromApi("growthbook");
    expect([code, stderr]).toEqual([1, `Error: ${other.url}/ returned no flags.\n`]);
  });

  test("refuses addresses and options that are unsafe or have no effect", async () => {
    const refused: [args: string[], error: string][] = [
      [["growthbook", "--from-url", "http://growthbook.example.com"], "--from-url must use https, except for localhost."],
      [["growthbook", "--from-url", "https://u:p@example.com"], "--from-url cannot have a user or password, because"],
      [["growthbook", "--from-url", "example"], '"example" is not a URL.'],
      [["growthbook", "--from-url", other.url], "The environment variable GROWTHBOOK_TOKEN is not set."],
      [["flagd", "--from-url", other.url, "--token-env", "NONE"], "The environment variable NONE is not set."],
      [["launchdarkly", "--from-url", other.url, "--project", "shop"], "--environment is required for launchdarkly."],
      [["statsig", "--from-url", other.url, "--project", "shop"], "--project has no effect for statsig."],
      [["unleash", "export.json", "--environment", "production"], "--environment has no effect without --from-url."],
      [["unleash", "export.json", "--from-url", other.url], "Pass either a file or --from-url."],
      [["unleash"], "Pass either a file or --from-url."],
    ];
    for (const [args, error] of refused) {
      const { code, stderr } = await gatehouse(["import", ...args]);
      expect([code, stderr]).toEqual([1, expect.stringContaining(`Error: ${error}`)]);
    }
    expect(other.requests).toEqual([]);
  });
});

describe("retryDelay", () => {
  test("reads seconds and dates, doubles without either, and refuses waits of more than two minutes", () => {
    const now = Date.parse("2030-01-01T00:00:00Z");
    expect(retryDelay("7", 1, now)).toBe(7000);
    expect(retryDelay("Tue, 01 Jan 2030 00:00:30 GMT", 1, now)).toBe(30_000);
    expect(retryDelay("Mon, 31 Dec 2029 00:00:00 GMT", 1, now)).toBe(0);
    expect([1, 2, 3].map((attempt) => retryDelay(null, attempt, now))).toEqual([1000, 2000, 4000]);
    expect(retryDelay("soon", 1, now)).toBe(1000);
    expect(retryDelay("121", 1, now)).toBeUndefined();
  });
});
