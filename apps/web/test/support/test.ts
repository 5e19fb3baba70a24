import type { ConsoleClient } from "@gatehouse/client";
import { type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { createFaults, type Faults } from "./faults.ts";
import { consoleApi, serverUrl } from "./server.ts";

export { expect };

export type Fixtures = {
  faults: Faults;
  /** Announces a fault that the test causes, such as `/^412: POST/`. Every other one fails the test. */
  expectFault: Faults["expectFault"];
  /** Announces a fault that depends on timing. */
  allowFault: Faults["allowFault"];
  /** A further browser: somebody else, or somebody without a session. */
  openBrowser: (options: BrowserContextOptions) => Promise<Page>;
};

/** Playwright's test in the console of the run's server. It fails on whatever a person would find in the browser's console. */
export const test = base.extend<Fixtures, { api: ConsoleClient }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
  api: [async ({}, use) => use(consoleApi()), { scope: "worker" }],
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  baseURL: async ({}, use) => use(serverUrl()),
  faults: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      const faults = createFaults(serverUrl());
      await use(faults);
      expect(faults.surprises()).toEqual([]);
    },
    { auto: true },
  ],
  expectFault: async ({ faults }, use) => use(faults.expectFault),
  allowFault: async ({ faults }, use) => use(faults.allowFault),
  context: async ({ context, faults }, use) => {
    faults.watch(context);
    await use(context);
  },
  openBrowser: async ({ browser, faults, baseURL, contextOptions }, use) => {
    const opened: Page[] = [];
    await use(async (options) => {
      const context = await browser.newContext({ ...contextOptions, ...(baseURL !== undefined && { baseURL }), ...options });
      faults.watch(context);
      const page = await context.newPage();
      opened.push(page);
      return page;
    });
    await Promise.all(opened.map((page) => page.context().close()));
  },
});
