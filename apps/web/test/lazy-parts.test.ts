import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("parts are loaded by soon.tsx alone, which shows an error in place of what could not be loaded", () => {
  const root = join(import.meta.dirname, "../src");
  const sources = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".tsx"));
  const lazy = sources.filter((file) => /\blazy\b[^;]*from "react"/.test(readFileSync(join(root, file), "utf8")));
  expect(lazy).toEqual(["ui/soon.tsx"]);
});
