import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Router } from "express";
import { once } from "../../common/once.ts";
import type { Document } from "./document.ts";

/** The documentation of one API: the OpenAPI document, and the file of the rendered page. */
export type Documentation = { name: string; document: Document; page: string };

/** Serves the contract as OpenAPI documents and as self-contained pages. */
export function documentation(apis: Documentation[]): Router {
  const router = Router();
  for (const { name, document, page } of apis) {
    const json = JSON.stringify(document);
    router.get(`/openapi/${name}.json`, (_request, response) => void response.type("json").send(json));
    const prepared = once(() => preparePage(page));
    router.get(name === "console" ? "/docs" : `/docs/${name}`, async (_request, response) => {
      // Not `sendFile`, which fails if a header asks for a range or a state that the file does not have.
      const { html, headers } = await prepared();
      response.set(headers).type("html").send(html);
    });
  }
  return router;
}

const INLINE_SCRIPT = /<script(?: [^>]*)?>(.*?)<\/script>/gs;
const hash = (text: string) => createHash("sha256").update(text).digest("base64");

type Prepared = { html: string; headers: Record<string, string> };

/** A page of a megabyte or more is read and hashed with its first request, not with each. */
async function preparePage(file: string): Promise<Prepared> {
  const html = await readFile(file, "utf8");
  return { html, headers: { "Content-Security-Policy": policyFor(html), "Cache-Control": "no-cache", ETag: `"${hash(html)}"` } };
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
