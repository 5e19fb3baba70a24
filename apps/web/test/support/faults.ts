import type { BrowserContext } from "@playwright/test";

/** Chromium's word for a request that the page itself gave up, such as a search that was typed over. */
const ABORTED = "net::ERR_ABORTED";
/** Chromium repeats each failed answer in the console. The answer itself is reported already. */
const REPEATED = /^Failed to load resource: /;

export type Faults = {
  /** Reports failures in the pages of a context. */
  watch: (context: BrowserContext) => void;
  /** Announces a fault that the test causes: it has to happen, as often as it likes. */
  expectFault: (pattern: RegExp) => void;
  /** Announces a fault that may happen, depending on timing. */
  allowFault: (pattern: RegExp) => void;
  /** Unannounced faults, and announced ones that did not happen. */
  surprises: () => string[];
};

/** Console errors and warnings, CSP violations, uncaught errors, failed requests and answers, and requests that go elsewhere. */
export function createFaults(origin: string): Faults {
  const seen: string[] = [];
  const announced: RegExp[] = [];
  const allowed: RegExp[] = [];
  const toPath = (url: string) => (url.startsWith(origin) ? url.slice(origin.length) : url);
  return {
    watch(context) {
      context.on("console", (message) => {
        if (["error", "warning"].includes(message.type()) && !REPEATED.test(message.text()))
          seen.push(`console ${message.type()}: ${message.text()}`);
      });
      context.on("weberror", (error) => seen.push(`uncaught: ${error.error().message}`));
      context.on("request", (request) => {
        if (/^(https?|wss?):/.test(request.url()) && !request.url().startsWith(`${origin}/`)) seen.push(`elsewhere: ${request.url()}`);
      });
      context.on("requestfailed", (request) => {
        const reason = request.failure()?.errorText;
        if (reason !== ABORTED) seen.push(`failed: ${request.method()} ${toPath(request.url())} ${reason}`);
      });
      context.on("response", (response) => {
        if (response.status() >= 400) seen.push(`${response.status()}: ${response.request().method()} ${toPath(response.url())}`);
      });
    },
    expectFault: (pattern) => void announced.push(pattern),
    allowFault: (pattern) => void allowed.push(pattern),
    surprises: () => [
      ...seen.filter((fault) => ![...announced, ...allowed].some((pattern) => pattern.test(fault))),
      ...announced.filter((pattern) => !seen.some((fault) => pattern.test(fault))).map((pattern) => `did not happen: ${pattern}`),
    ],
  };
}
