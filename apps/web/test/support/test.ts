import type { ConsoleClient } from "@gatehouse/client";
import { type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { createFaults, type Faults } from "./faults.ts";
import { invitePerson, newProject, type Person, type Project, type Role } from "./people.ts";
import { consoleApi, serverUrl } from "./server.ts";

export { expect };

export type Fixtures = {
  faults: Faults;
  /** Announces a fault that the test causes, such as `/^412: POST/`. Every other one fails the test. */
  expectFault: Faults["expectFault"];
  /** Announces a fault that depends on timing. */
  allowFault: Faults["allowFault"];
  /** A further browser, of another person or without a session. */
  openBrowser: (options: BrowserContextOptions) => Promise<Page>;
};

/** Fixtures that the tests of one worker share. */
export type WorkerFixtures = {
  /** The worker's own project. Addresses without a leading slash are relative to it. */
  project: Project;
  /** The console API with all permissions in that project. */
  api: ConsoleClient;
  /** Adds a new person to that project. */
  newPerson: (role: Role, name?: string) => Promise<Person>;
  /** A person with the role Viewer in that project, for tests that do not change the person. */
  viewer: Person;
};

/** Playwright's test on the run's server, without a project. It fails on errors and warnings in the browser's console. */
export const instanceTest = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
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

/** The same test in the project of its worker. Workers share only the server. */
export const test = instanceTest.extend<object, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  project: [async ({}, use) => use(await newProject()), { scope: "worker" }],
  api: [async ({ project }, use) => use(consoleApi(project.key)), { scope: "worker" }],
  newPerson: [async ({ project }, use) => use((role, name) => invitePerson(project, role, name)), { scope: "worker" }],
  viewer: [async ({ newPerson }, use) => use(await newPerson("Viewer")), { scope: "worker" }],
  baseURL: async ({ project }, use) => use(`${serverUrl()}/projects/${project.projectID}/`),
});
