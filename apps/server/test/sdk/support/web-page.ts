import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { findChromium } from "../../support/browser.ts";
import type { Page } from "../pages/page.ts";
import type { Application, Sdk } from "./sdk.ts";

/** The page's API as the test calls it. */
type Callable = { page: Record<string, (...given: unknown[]) => Promise<unknown>> };

/**
 * An SDK that runs in a browser, in a page of another origin than the server's, so that its requests need preflights.
 * @param script the page's script, in `pages/`
 */
export function webPage(name: string, script: string): Sdk {
  return {
    name,
    async start(connection): Promise<Application> {
      const origin = await serve(await bundle(script));
      const browser = await chromium.launch({
        executablePath: findChromium() as string,
        args: ["--no-sandbox", "--disable-background-networking"],
      });
      const page = await browser.newPage();
      const strangers: string[] = [];
      await page.route("**", (route) => {
        const url = route.request().url();
        if ([origin.url, connection.url].some((known) => url.startsWith(`${known}/`))) return route.continue();
        strangers.push(url);
        return route.abort();
      });
      await page.goto(`${origin.url}/`);
      const call = (method: keyof Page, ...given: unknown[]) =>
        page.evaluate(([called, values]) => (globalThis as unknown as Callable).page[called]?.(...values), [method, given] as const);
      await call("start", connection);
      const calls = (["gate", "config", "experiment", "layer", "flush"] as const).map((method) => [
        method,
        (...given: unknown[]) => call(method, ...given),
      ]);
      return {
        ...(Object.fromEntries(calls) as Omit<Application, "stop">),
        async stop() {
          await call("stop");
          await browser.close();
          origin.close();
          // A failing SDK reports its error to its vendor, so a call to another host means a failure.
          if (strangers.length > 0) throw new Error(`The page called ${strangers.join(", ")}.`);
        },
      };
    },
  };
}

async function bundle(script: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../pages/${script}`, import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return outputFiles[0]?.text ?? "";
}

async function serve(script: string): Promise<{ url: string; close: () => void }> {
  const server = createServer(({ url }, response) => {
    const isScript = url === "/page.js";
    response.setHeader("Content-Type", `${isScript ? "text/javascript" : "text/html"}; charset=utf-8`);
    response.end(isScript ? script : '<!doctype html><title>Application</title><body><script src="/page.js"></script></body>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => void server.close() };
}
