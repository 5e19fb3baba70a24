import document from "@gatehouse/contract/console.json" with { type: "json" };
import { expect, test } from "vitest";
import { PERMISSION_WORDS, WITHOUT_EFFECT } from "./permissions.ts";

test("roles list every permission with an effect, and leave out those that exist only for existing clients", () => {
  const all = Object.entries(document.components.schemas.Permissions.properties);
  const unused = all.filter(([, { description }]) => description.endsWith("no operation asks for it yet.")).map(([name]) => name);
  expect(Object.keys(WITHOUT_EFFECT).sort()).toEqual(unused.sort());
  expect([...PERMISSION_WORDS.keys()].sort()).toEqual(all.flatMap(([name]) => (unused.includes(name) ? [] : [name])).sort());
});
