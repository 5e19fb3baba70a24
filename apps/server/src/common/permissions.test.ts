import { readdirSync, readFileSync } from "node:fs";
import { descriptions } from "@gatehouse/contract/console";
import document from "@gatehouse/contract/console.json" with { type: "json" };
import { expect, test } from "vitest";
import { PERMISSIONS } from "./permissions.ts";

test("the contract says of each permission that nothing asks for that it has no effect, and of no other", () => {
  const folder = new URL("../", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /(?<!\.test)\.ts$/.test(name));
  const code = files.filter((name) => !name.startsWith("generated")).map((name) => readFileSync(new URL(name, folder), "utf8"));
  const ofOperations = new Set<string | undefined>(Object.values(descriptions).map(({ permission }) => permission));
  const unused = PERMISSIONS.filter((one) => !ofOperations.has(one) && !code.some((text) => text.includes(`"${one}"`)));
  const { properties } = document.components.schemas.Permissions;
  expect(PERMISSIONS.filter((one) => properties[one].description.endsWith("no operation asks for it yet."))).toEqual(unused);
});
