import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { type Request, type RequestHandler, Router } from "express";
import { RESERVED_SEGMENTS } from "../../common/reserved-paths.ts";
import type { Encoding } from "../../evaluation/rulesets/sendable.ts";
import { preferredEncoding } from "./encoding.ts";
import { pagePolicy } from "./page-policy.ts";

/** The contents of a file, by encoding. */
type Asset = Map<Encoding, Buffer>;

/** The build writes a file's compressed contents beside it. */
const EXTENSIONS: [Encoding, string][] = [
  ["br", ".br"],
  ["gzip", ".gz"],
  ["identity", ""],
];

/** The build writes this where each response needs its nonce. */
const NONCE_PLACEHOLDER = "__CSP_NONCE__";
const NONCE_BYTES = 16;

/** Pages are at `/` and below a word in small letters. So no spelling of a reserved segment passes for a page. */
const PAGE_PATH = /^\/(?:([a-z]+(?:-[a-z]+)*)(?:\/.*)?)?$/s;

/**
 * Serves the web console: its files, and one page at every address that is not reserved, since the page itself knows the existing
 * addresses. The files are read now and kept, so that a page and its files are of the same build even if the folder changes.
 * @param index the file `index.html` of the build; the folder `assets` is beside it
 * @param html its page, as `readPage` returns it
 */
export function webConsole(index: string, html: string): Router {
  const router = Router();
  router.get("/assets/:name", serveAssets(readAssets(join(dirname(index), "assets"))));
  router.use(servePage(html));
  return router;
}

/**
 * Reads the console's page for a server with a base path. The build's files name each other relatively; the page is at addresses of any depth.
 * @throws Error if the build is missing
 */
export function readPage(index: string, basePath: string): string {
  if (!existsSync(index)) throw new Error("The web console is not built. Run npx --yes pnpm@12 build.");
  return readFileSync(index, "utf8").replaceAll('"./assets/', `"${basePath}/assets/`);
}

function readAssets(folder: string): Map<string, Asset> {
  const files = new Set(readdirSync(folder));
  const names = [...files].filter((name) => !EXTENSIONS.some(([, extension]) => extension === extname(name)));
  return new Map(
    names.map((name) => {
      const encodings = EXTENSIONS.filter(([, extension]) => files.has(name + extension));
      return [name, new Map(encodings.map(([encoding, extension]) => [encoding, readFileSync(join(folder, name + extension))]))];
    }),
  );
}

/** A file's name has a hash of its contents, so that it never changes. */
function serveAssets(assets: Map<string, Asset>): RequestHandler<{ name: string }> {
  return (request, response, next) => {
    const { name } = request.params;
    const asset = assets.get(name);
    if (!asset) {
      // A replica of another version may have it.
      response.set("Cache-Control", "no-store");
      return next();
    }
    const encoding = preferredEncoding(request.get("Accept-Encoding"), [...asset.keys()]);
    if (encoding !== "identity") response.set("Content-Encoding", encoding);
    response
      .type(extname(name))
      .set({ "Cache-Control": "public, max-age=31536000, immutable", ETag: `"${name}:${encoding}"`, Vary: "Accept-Encoding" })
      .send(asset.get(encoding));
  };
}

const OWN_DIRECTIVES = ["font-src 'self'", "connect-src 'self'", "form-action 'self'"];
/** These allow two things: a text is emptied, and the editor starts its worker. */
const TRUSTED_TYPES = "default gatehouse-editor";

function servePage(html: string): RequestHandler {
  const parts = html.split(NONCE_PLACEHOLDER);
  return (request, response, next) => {
    if (!isPage(request)) return next();
    response.vary("Accept");
    if (request.path !== "/" && !request.accepts().includes("text/html")) return next();
    const nonce = randomBytes(NONCE_BYTES).toString("base64url");
    response
      .set({
        "Content-Security-Policy": pagePolicy(nonce, OWN_DIRECTIVES, TRUSTED_TYPES),
        "Cache-Control": "no-cache",
        "Cross-Origin-Opener-Policy": "same-origin",
        // With `no-referrer`, browsers send `Origin: null` with the page's forms.
        "Referrer-Policy": "same-origin",
        "X-Frame-Options": "DENY",
      })
      .type("html")
      .send(parts.join(nonce));
  };
}

function isPage({ method, path }: Request): boolean {
  const match = PAGE_PATH.exec(path);
  return match !== null && ["GET", "HEAD"].includes(method) && !RESERVED_SEGMENTS.has(match[1] ?? "");
}
