import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendRaw } from "../support/raw-request.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** The header that browsers send when they open an address. */
const OPENS = { Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8" };
const INDEX = fileURLToPath(import.meta.resolve("@gatehouse/web/index.html"));
/** The page of a server without a base path. */
const built = readFileSync(INDEX, "utf8").replaceAll('"./assets/', '"/assets/');

const open = (target: string, headers: Record<string, string> = OPENS, method = "GET") => sendRaw(server.url, target, { method, headers });
const readNonce = (policy: unknown) => /'nonce-([\w-]{22})'/.exec(String(policy))?.[1] ?? "";
/** The page as it was built. */
const withoutNonce = (text: string, policy: unknown) => text.replaceAll(readNonce(policy), "__CSP_NONCE__");
const notFound = (path: string) => ({ status: 404, code: "not_found", message: `The path ${path} does not exist.` });

describe("the console's page", () => {
  test.each([
    ...["/", "/?after=%2Fgates", "/welcome", "/sign-in", "/account", "/instance/people", "/instance/projects/new"],
    ...["/projects/default/gates", "/projects/default/gates/new_checkout/history?page=2", "/projects/x/gates/a.b", "/gates", "/gates/x"],
    // A kind has its pages below `/projects/<id>/`, at any path.
    ...["/dynamic-configs", "/projects/default/assets", "/no-such-page"],
  ])("is at %s", async (path) => {
    const { status, headers, text } = await open(path);
    expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
    expect(withoutNonce(text, headers["content-security-policy"])).toBe(built);
  });

  test("permits only scripts of this origin, and only styles with the nonce of this answer", async () => {
    const answers = await Promise.all([open("/"), open("/"), open("/gates")]);
    const nonces = answers.map(({ headers }) => readNonce(headers["content-security-policy"]));
    expect(new Set(nonces).size).toBe(3);
    for (const [index, { headers, text }] of answers.entries()) {
      const nonce = nonces[index] as string;
      expect(headers["content-security-policy"]).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self'; font-src 'self'; connect-src 'self'; ` +
          "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default gatehouse-editor",
      );
      expect(text).toContain(`<meta property="csp-nonce" nonce="${nonce}">`);
      expect(text).not.toContain("__CSP_NONCE__");
    }
  });

  test("can be neither framed, sniffed nor opened by a window of another site, and is requested again each time", async () => {
    const { headers } = await open("/gates");
    expect(headers).toMatchObject({
      "x-frame-options": "DENY",
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "same-origin",
      "cache-control": "no-cache",
      vary: "Accept",
    });
    expect(headers.etag).toBeUndefined();
  });

  test("answers HEAD as GET, without a body", async () => {
    const { status, headers, bytes } = await open("/gates", OPENS, "HEAD");
    const { bytes: page } = await open("/gates");
    expect([status, headers["content-length"], bytes.length]).toEqual([200, String(page.length), 0]);
    expect(readNonce(headers["content-security-policy"])).toMatch(/./);
  });

  test("names only files that exist", async () => {
    const targets = [...built.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, target]) => target as string);
    expect(targets.length).toBeGreaterThan(2);
    for (const target of targets) expect([target, (await open(target)).status]).toEqual([target, 200]);
  });

  test.each([
    ["markup", "/projects/<script>alert(1)</script>/gates"],
    ["quotes", `/gates/"'><img src=x onerror=alert(1)>`.replaceAll(" ", "%20")],
    ["bytes that are not UTF-8", "/gates/%ff%c0%ae%00"],
    ["half an escape", "/gates/%"],
    ["a line break", "/gates/%0d%0aSet-Cookie:%20a=b"],
    ["parent folders", "/gates/../../../../etc/passwd"],
    ["encoded parent folders", "/gates/%2e%2e%2f%2e%2e%2fpackage.json"],
    ["the placeholder of the nonce", "/gates/__CSP_NONCE__"],
    ["many characters", `/gates/${"a".repeat(8_000)}`],
  ])("is the same for an address with %s", async (_what, target) => {
    const { status, headers, text } = await open(target);
    expect([status, withoutNonce(text, headers["content-security-policy"])]).toEqual([200, built]);
    expect(headers["set-cookie"]).toBeUndefined();
  });

  test("is at / for every caller, and elsewhere only for those who ask for HTML", async () => {
    const asking: Record<string, string>[] = [{}, { Accept: "*/*" }, { Accept: "application/json" }];
    for (const headers of asking) expect((await open("/", headers)).headers["content-type"]).toBe("text/html; charset=utf-8");
    for (const Accept of ["*/*", "application/json", "text/*", "text/html;q=0, */*", "image/avif,image/webp,*/*", "x"]) {
      const { status, headers, text } = await open("/projects/default/gates", { Accept });
      expect([Accept, status, JSON.parse(text)]).toEqual([Accept, 404, notFound("/projects/default/gates")]);
      expect(headers.vary).toBe("Accept");
    }
    expect((await open("/gates", {})).status).toBe(404);
  });

  test("answers no other method", async () => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      for (const path of ["/", "/gates"]) {
        const { status, text } = await open(path, OPENS, method);
        expect([method, status, JSON.parse(text)]).toEqual([method, 404, notFound(path)]);
      }
  });
});

describe("every other path", () => {
  const paths = [consoleDocument, evaluationDocument].flatMap(({ paths }) => Object.keys(paths));

  test("of the APIs answers no page, whether an operation is there or not, but why a sign-in with the provider failed", async () => {
    const ofProvider = /^\/console\/v1\/session\/oidc(\/callback)?$/;
    const places = new Set(paths.flatMap((path) => path.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"))));
    places.delete("");
    places.delete("/console/v1/session/methods"); // Answers everyone: the page calls it before the sign-in.
    for (const place of ["/Console/v1/gates", "/CONSOLE", "/V1/initialize", "/OFREP/v1"]) places.add(place);
    expect(places.size).toBeGreaterThan(paths.length);
    for (const place of places) {
      for (const target of [place, `${place}/`, `${place}/absent/absent`].map((one) => one.replaceAll(/[{}]/g, ""))) {
        const { status, headers } = await open(target);
        const type = ofProvider.test(target) ? "text/html; charset=utf-8" : "application/json; charset=utf-8";
        expect([target, status >= 400, headers["content-type"]]).toEqual([target, true, type]);
      }
    }
  });

  test.each([
    ...["/console", "/%63onsole/v1/gates", "//console/v1/gates", "/./console/v1/gates", "/console;/v1/gates", "/v3/x"],
    ...["/docs/absent", "/openapi", "/openapi/absent.json", "/metrics/absent", "/livez/absent", "/readyz/absent", "/assets", "/assets/"],
    ...["/assets/a/b", "/favicon.ico", "/robots.txt", "/.env", "/.well-known/security.txt", "/index.html", "/__CSP_NONCE__", "//", "/~"],
  ])("such as %s does not exist, as before", async (path) => {
    const { status, text } = await open(path);
    expect([status, JSON.parse(text)]).toEqual([404, notFound(path)]);
  });

  test("of the documentation and the probes is served as before", async () => {
    expect((await open("/docs/api/console")).text).toContain("Gatehouse console API");
    expect((await open("/docs/api/evaluation")).text).toContain("Gatehouse evaluation API");
    expect((await open("/livez")).text).toBe("ok\n");
    expect((await open("/metrics")).text).toContain("gatehouse_http_request_duration_seconds");
    expect(JSON.parse((await open("/openapi/console.json")).text)).toEqual(consoleDocument);
  });
});

describe("a file of the console", () => {
  const [, script = ""] = /<script type="module"[^>]* src="([^"]+)"/.exec(built) ?? [];
  const [, theme = ""] = /src="([^"]+\/theme-[^"]+)"/.exec(built) ?? [];
  const [, icon = ""] = /href="([^"]+\.svg)"/.exec(built) ?? [];
  const onDisk = (target: string) => readFileSync(INDEX.replace(/\/index\.html$/, target));

  test.each([
    ["brotli", "gzip, deflate, br, zstd", "br", brotliDecompressSync],
    ["gzip", "gzip, deflate", "gzip", gunzipSync],
    ["no encoding", "identity", undefined, (bytes: Buffer) => bytes],
    ["no encoding, with br refused", "br;q=0", undefined, (bytes: Buffer) => bytes],
  ])("comes with %s, for ever under its name", async (_encoding, accepted, encoding, decode) => {
    const { status, headers, bytes } = await open(script, { "Accept-Encoding": accepted });
    expect([status, headers["content-encoding"], headers["content-length"]]).toEqual([200, encoding, String(bytes.length)]);
    expect(decode(bytes).equals(onDisk(script))).toBe(true);
    expect(headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
      vary: "Accept-Encoding",
    });
  });

  test("that is too short to compress comes as it is", async () => {
    const { headers, bytes } = await open(theme, { "Accept-Encoding": "br" });
    expect([headers["content-encoding"], headers.vary]).toEqual([undefined, "Accept-Encoding"]);
    expect(bytes.equals(onDisk(theme))).toBe(true);
    expect((await open(icon)).headers["content-type"]).toBe("image/svg+xml");
  });

  test("is 304 for a caller who has it in the same encoding", async () => {
    const fresh = await open(script, { "Accept-Encoding": "br" });
    const tag = String(fresh.headers.etag);
    const again = await open(script, { "Accept-Encoding": "br", "If-None-Match": tag });
    expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, tag]);
    expect(again.headers).toMatchObject({ "cache-control": "public, max-age=31536000, immutable", vary: "Accept-Encoding" });
    expect((await open(script, { "Accept-Encoding": "gzip", "If-None-Match": tag })).status).toBe(200);
    expect((await open(script, { "Accept-Encoding": "br", "If-None-Match": tag, "Cache-Control": "no-cache" })).status).toBe(200);
  });

  test("answers HEAD as GET, and no other method", async () => {
    const { status, headers, bytes } = await open(script, { "Accept-Encoding": "identity" }, "HEAD");
    expect([status, headers["content-length"], bytes.length]).toEqual([200, String(onDisk(script).length), 0]);
    expect((await open(script, {}, "POST")).status).toBe(404);
  });

  test("is sent whole to a caller who asks for a part", async () => {
    for (const Range of ["bytes=0-9", "bytes=9-3", "bytes=-5", "bytes=99999999999999999999-"]) {
      const { status, bytes } = await open(icon, { Range });
      expect([Range, status, bytes.equals(onDisk(icon))]).toEqual([Range, 200, true]);
    }
  });

  test.each([
    ...["/assets/absent-12345678.js", `${script}.br`, `${script}.gz`, "/assets/..%2findex.html", "/assets/%2e%2e%2findex.html"],
    ...["/assets/__proto__", "/assets/constructor"],
  ])("that is missing is 404 and never a page, and no cache keeps the answer: %s", async (target) => {
    const { status, headers, text } = await open(target);
    expect([status, JSON.parse(text)]).toEqual([404, notFound(target)]);
    expect(headers["cache-control"]).toBe("no-store");
  });
});
