import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Router } from "express";
import type { Document } from "./document.ts";

/** The documentation of one API: the OpenAPI document, and the file of the rendered page. */
export type Documentation = { name: string; document: Document; page: string };

/** Serves the contract as OpenAPI documents and as self-contained pages. */
export function documentation(apis: Documentation[]): Router {
  const router = Router();
  for (const { name, document, page } of apis) {
    const json = JSON.stringify(document);
    router.get(`/openapi/${name}.json`, (_request, response) => void response.type("json").send(json));
    // Scripts and styles of the page are inline.
    const policy =
      "default-src 'none'; font-src data:; script-src 'unsafe-inline' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; connect-src 'none'; base-uri 'none'";
    router.get(name === "console" ? "/docs" : `/docs/${name}`, async (_request, response) => {
      // Not `sendFile`, which fails if a header asks for a range or a state that the file does not have.
      const html = await readFile(page);
      const etag = `"${createHash("sha256").update(html).digest("base64url")}"`;
      response.set({ "Content-Security-Policy": policy, "Cache-Control": "no-cache", ETag: etag }).type("html").send(html);
    });
  }
  return router;
}
