import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { type Response, Router } from "express";
import { basePathOf } from "../../common/base-path.ts";
import { once } from "../../common/once.ts";
import { type Sendable, sendable } from "../../evaluation/rulesets/sendable.ts";
import { encodedTag, namesTagWeakly } from "../../store/requests/entity-tag.ts";
import type { Document } from "./document.ts";
import { preferredEncoding } from "./encoding.ts";

/** Serves the contract as OpenAPI documents, for the server at `publicUrl` if it's known. @param documents by name */
export function openApiDocuments(documents: { [name: string]: Document }, publicUrl: string | undefined): Router {
  const place = publicUrl === undefined ? {} : { servers: [{ url: publicUrl }] };
  const toText = withBasePath(basePathOf(publicUrl));
  const router = Router();
  for (const [name, document] of Object.entries(documents)) {
    const json = once(async () => prepare(Buffer.from(toText(JSON.stringify({ ...document, ...place })))));
    router.get(`/openapi/${name}.json`, async (_request, response) => sendPrepared(response, ".json", await json()));
  }
  return router;
}

/** Where an address has a hash of its contents. */
const ASSETS = "assets/";
const API_PAGES = "api/";

/**
 * Serves the documentation: its pages, those of the APIs among them, and their files. A file is read at its first request and then kept.
 * @param folder of the build
 */
export function documentation(folder: string, basePath: string): Router {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
  const readers = new Map(files.map((file) => [toAddress(file), { file, read: once(() => prepareFile(folder, file, basePath)) }]));
  const router = Router();
  router.get("/docs{/*path}", async (request, response, next) => {
    if (request.path === "/docs") return response.redirect(301, `${basePath}/docs/`);
    const found = readers.get(request.path.slice("/docs/".length));
    if (!found) return next();
    // Not `sendFile`, which fails if a header asks for a range or a state that the file does not have.
    const { policy, prepared } = await found.read();
    if (policy !== undefined) response.set("Content-Security-Policy", policy);
    await sendPrepared(response, extname(found.file), prepared, found.file.startsWith(ASSETS));
  });
  return router;
}

/** `operate/install.html` is at `operate/install`. */
const toAddress = (file: string) => file.replace(/(^|\/)index\.html$/, "$1").replace(/\.html$/, "");

const INLINE_SCRIPT = /<script(?: [^>]*)?>(.*?)<\/script>/gs;
const hash = (text: string | Buffer) => createHash("sha256").update(text).digest("base64");

/** A file, which is hashed with its first request, and compressed with the first request of each encoding. */
type Prepared = { tag: string; text: Sendable };

function prepare(text: Buffer): Prepared {
  return { tag: `"${hash(text)}"`, text: sendable(() => [text]) };
}

async function prepareFile(folder: string, file: string, basePath: string): Promise<{ policy: string | undefined; prepared: Prepared }> {
  const built = await readFile(join(folder, file));
  const text = basePath !== "" && WITH_ADDRESSES.has(extname(file)) ? Buffer.from(withBasePath(basePath)(built.toString())) : built;
  if (extname(file) !== ".html") return { policy: undefined, prepared: prepare(text) };
  return { policy: (file.startsWith(API_PAGES) ? apiPagePolicy : pagePolicy)(text.toString()), prepared: prepare(text) };
}

/** The types of files that name others by their addresses. */
const WITH_ADDRESSES: ReadonlySet<string> = new Set([".html", ".js", ".css"]);

/** Addresses of the documentation in markup, scripts and Markdown. */
const DOCS_ADDRESS = /(?<=["(])\/docs\//g;

/** Puts a base path in front of every address of the documentation. */
function withBasePath(basePath: string): (text: string) => string {
  return basePath === "" ? (text) => text : (text) => text.replaceAll(DOCS_ADDRESS, `${basePath}/docs/`);
}

/** Sends a text in the encoding that the caller prefers, or 304 if the caller has it. */
async function sendPrepared(response: Response, type: string, { tag, text }: Prepared, isImmutable = false): Promise<void> {
  const { req: request } = response;
  const encoding = preferredEncoding(request.get("Accept-Encoding"));
  const ETag = encoding === "identity" ? tag : encodedTag(tag, encoding);
  response.vary("Accept-Encoding").set({ "Cache-Control": isImmutable ? "public, max-age=31536000, immutable" : "no-cache", ETag });
  if (namesTagWeakly(request.get("If-None-Match") ?? "", tag)) return void response.status(304).end();
  if (encoding !== "identity") response.set("Content-Encoding", encoding);
  // It is one piece in each encoding.
  const [body] = await text.pieces(encoding);
  response.type(type).send(body);
}

const listScripts = (html: string) => [...html.matchAll(INLINE_SCRIPT)].map(([, script = ""]) => script).filter((script) => script !== "");
const hashesOf = (html: string) => listScripts(html).map((script) => `'sha256-${hash(script)}'`);
const EMBEDDED_NOWHERE = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

/** Lets the page load its own files and run its own inline scripts, and no other. Highlighted code has inline styles. */
function pagePolicy(html: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${hashesOf(html).join(" ")}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    ...EMBEDDED_NOWHERE,
  ].join("; ");
}

/** Lets the scripts of the page run, which are inline, and no other. Its styles are made while it runs. */
function apiPagePolicy(html: string): string {
  return [
    "default-src 'none'",
    "font-src data:",
    `script-src ${hashesOf(html).join(" ")} blob:`,
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "img-src data:",
    "connect-src 'none'",
    ...EMBEDDED_NOWHERE,
  ].join("; ");
}
