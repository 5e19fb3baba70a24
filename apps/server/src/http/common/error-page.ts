import { randomBytes } from "node:crypto";
import type { Response } from "express";
import { type AppError, listDetails } from "../../common/errors.ts";
import { escapeHtml } from "../../common/markup.ts";
import { pagePolicy } from "./page-policy.ts";

/** Sends an error as a page, with the status that the response has. */
export type SendErrorPage = (response: Response, error: AppError) => void;

const NONCE_BYTES = 16;

/** Tags of the console's page: the encoding, the size, the icon, its stylesheets and the script that applies the chosen theme. */
const SHARED_TAGS =
  /<(?:meta (?:charset|name="viewport")|link rel="(?:icon|stylesheet)"|script src="[^"]*\/assets\/theme-)[^>]*>(?:<\/script>)?/g;
const ICON = /<link rel="icon" href="([^"]+)"/;

/** Beside the console's stylesheet, which has the colors, spaces and sizes. */
const STYLE = `
  main { display: grid; place-content: center; justify-items: center; gap: var(--space-5); min-height: 100vh; padding: var(--space-5) var(--space-4); }
  .brand { display: flex; align-items: center; gap: var(--space-2); font-size: var(--text-large); font-weight: var(--weight-strong); }
  .brand img { width: 1.75rem; height: 1.75rem; }
  .card { display: flex; flex-direction: column; gap: var(--space-4); width: min(28rem, calc(100vw - 2rem)); padding: var(--space-5);
    border: 1px solid var(--border); border-radius: var(--radius-large); background: var(--surface); box-shadow: var(--shadow); overflow-wrap: anywhere; }
  .soft { color: var(--ink-soft); }
`;

/** Creates pages of failed sign-ins in the look of the web console. @param html the page of the console */
export function errorPages(html: string, basePath: string): SendErrorPage {
  const head =
    html
      .match(SHARED_TAGS)
      ?.join("\n    ")
      .replaceAll(/ nonce="[^"]*"/g, "") ?? "";
  const icon = ICON.exec(html)?.[1] ?? "";
  return (response, error) => {
    const nonce = randomBytes(NONCE_BYTES).toString("base64url");
    response
      .set({
        "Content-Security-Policy": pagePolicy(nonce, ["form-action 'none'"], "'none'"),
        "Cache-Control": "no-store",
        "Cross-Origin-Opener-Policy": "same-origin",
        "X-Frame-Options": "DENY",
      })
      .type("html")
      .send(page({ head, icon, nonce, basePath, requestID: response.locals.requestID }, error));
  };
}

type Frame = { head: string; icon: string; nonce: string; basePath: string; requestID: string };

function page({ head, icon, nonce, basePath, requestID }: Frame, error: AppError): string {
  const details = listDetails(error).map(({ property, errorMessage }) => `<li>${escapeHtml(`${property} ${errorMessage}`)}</li>`);
  const advice = error.advice === undefined ? "" : `<h2>For administrators</h2>\n        <p>${escapeHtml(error.advice)}</p>`;
  return `<!doctype html>
<html lang="en">
  <head>
    ${head}
    <title>Sign-in failed · Gatehouse</title>
    <style nonce="${nonce}">${STYLE}</style>
  </head>
  <body>
    <main>
      <div class="brand"><img src="${icon}" alt="">Gatehouse</div>
      <div class="card">
        <h1>Sign-in failed</h1>
        <p>${escapeHtml(error.message)}</p>
        ${details.length > 0 ? `<ul>${details.join("")}</ul>` : ""}
        <p><a href="${basePath}/sign-in">Back to sign-in</a></p>
        ${advice}
        <p class="soft">Request ID: <code>${escapeHtml(requestID)}</code></p>
      </div>
    </main>
  </body>
</html>
`;
}
