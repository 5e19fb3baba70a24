import { Router } from "express";
import type { Document } from "./document.ts";

/** One API as its readers see it: the document, and the rendered page in a file. */
export type Documentation = { name: string; document: Document; page: string };

/** The contract as documents and as pages that need nothing else to be read. */
export function documentation(apis: Documentation[]): Router {
  const router = Router();
  router.get("/", (_request, response) => response.redirect("/docs"));
  for (const { name, document, page } of apis) {
    const json = JSON.stringify(document);
    router.get(`/openapi/${name}.json`, (_request, response) => void response.type("json").send(json));
    // The page brings its script and style within itself.
    const policy =
      "default-src 'none'; font-src data:; script-src 'unsafe-inline' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; connect-src 'none'; base-uri 'none'";
    router.get(name === "console" ? "/docs" : `/docs/${name}`, (_request, response) => {
      response.set("Content-Security-Policy", policy).sendFile(page);
    });
  }
  return router;
}
