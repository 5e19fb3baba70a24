import { createHash } from "node:crypto";
import type { Plugin } from "vite";

/** Applies the chosen theme before the first paint. Without a choice, the page follows the system. */
const SCRIPT = `try {
  const theme = localStorage.getItem("gatehouse.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {}
`;

/** A small separate script in the head: modules run too late, and inline scripts are against the content security policy. */
export function themeScript(): Plugin {
  const hash = createHash("sha256").update(SCRIPT).digest("base64url").slice(0, 8);
  const fileName = `assets/theme-${hash}.js`;
  return {
    name: "gatehouse:theme-script",
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source: SCRIPT });
    },
    configureServer(server) {
      server.middlewares.use(
        `/${fileName}`,
        (_request, response) => void response.setHeader("Content-Type", "text/javascript").end(SCRIPT),
      );
    },
    // During development, the page is at addresses of any depth. A server adapts the built page.
    transformIndexHtml: (_html, { server }) => [{ tag: "script", attrs: { src: `${server ? "" : "."}/${fileName}` }, injectTo: "head" }],
  };
}
