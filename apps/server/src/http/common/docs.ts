import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type Response, Router } from "express";
import { once } from "../../common/once.ts";
import { type Sendable, sendable } from "../../evaluation/rulesets/sendable.ts";
import { encodedTag, namesTagWeakly } from "../../store/requests/entity-tag.ts";
import type { Document } from "./document.ts";
import { preferredEncoding } from "./encoding.ts";

/** The documentation of one API: the OpenAPI document, and the file of the rendered page. */
export type Documentation = { name: string; document: Document; page: string };

/** Serves the contract as OpenAPI documents and as self-contained pages. */
export function documentation(apis: Documentation[]): Router {
  const router = Router();
  for (const { name, document, page } of apis) {
    const json = once(async () => prepare(JSON.stringify(document)));
    router.get(`/openapi/${name}.json`, async (_request, response) => sendPrepared(response, "json", await json()));
    const html = once(() => preparePage(page));
    router.get(name === "console" ? "/docs" : `/docs/${name}`, async (_request, response) => {
      // Not `sendFile`, which fails if a header asks for a range or a state that the file does not have.
      const { policy, prepared } = await html();
      await sendPrepared(response.set("Content-Security-Policy", policy), "html", prepared);
    });
  }
  return router;
}

const INLINE_SCRIPT = /<script(?: [^>]*)?>(.*?)<\/script>/gs;
const hash = (text: string) => createHash("sha256").update(text).digest("base64");

/** A text of a megabyte or more. It is hashed with its first request, and compressed with the first request of each encoding. */
type Prepared = { tag: string; text: Sendable };

function prepare(text: string): Prepared {
  return { tag: `"${hash(text)}"`, text: sendable(() => [Buffer.from(text)]) };
}

async function preparePage(file: string): Promise<{ policy: string; prepared: Prepared }> {
  const html = await readFile(file, "utf8");
  return { policy: policyFor(html), prepared: prepare(html) };
}

/** Sends a text in the encoding that the caller prefers, or 304 if the caller has it. */
async function sendPrepared(response: Response, type: "html" | "json", { tag, text }: Prepared): Promise<void> {
  const { req: request } = response;
  const encoding = preferredEncoding(request.get("Accept-Encoding"));
  const ETag = encoding === "identity" ? tag : encodedTag(tag, encoding);
  response.vary("Accept-Encoding").set({ "Cache-Control": "no-cache", ETag });
  if (namesTagWeakly(request.get("If-None-Match") ?? "", tag)) return void response.status(304).end();
  if (encoding !== "identity") response.set("Content-Encoding", encoding);
  // It is one piece in each encoding.
  const [body] = await text.pieces(encoding);
  response.type(type).send(body);
}

/** Lets the scripts of the page run, which are inline, and no other. Its styles are made while it runs. */
function policyFor(html: string): string {
  const scripts = [...html.matchAll(INLINE_SCRIPT)].map(([, script = ""]) => `'sha256-${hash(script)}'`);
  return [
    "default-src 'none'",
    "font-src data:",
    `script-src ${scripts.join(" ")} blob:`,
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "img-src data:",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
