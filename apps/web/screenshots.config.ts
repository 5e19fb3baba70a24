// Takes the pictures of the README and the tour again: `npx --yes pnpm@12 --filter web screenshots`.
import { defineConfig } from "@playwright/test";
import config from "./playwright.config.ts";
import { ADMINISTRATOR_STATE } from "./test/support/server.ts";

export default defineConfig({
  ...config,
  projects: [
    { name: "first run", testMatch: "*.setup.ts" },
    {
      name: "screenshots",
      testMatch: "screenshots.shots.ts",
      dependencies: ["first run"],
      use: { storageState: ADMINISTRATOR_STATE, viewport: { width: 1280, height: 800 }, colorScheme: "light" },
    },
  ],
});
